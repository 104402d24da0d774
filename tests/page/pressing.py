"""The steps of a walk over the page: what a person presses, types and chooses, and what hands at the table do
meanwhile. Each is a function of the walk."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from taptable.core.player import PlayerAction, Push, Tap
from taptable.cues.presenter import PROBE_S
from taptable.referee.checking import seats_now
from taptable.referee.session import Session
from taptable.referee.step import legal_controls

from page.evening import DemoEvening
from page.pad_hand import Hand, new_cards
from page.person import Person
from page.staging import Stage
from page.test_pairing import code_on
from page.walking import BAD, Step, Walk

TAGS = tuple(new_cards().cards)
"""New cards that are in no deck."""
SETTLES_S = 2.0
"""Time after which a button certainly counts once its meaning has changed."""
SEAT = 1
"""The seat of the person at the demo's page."""
DRAW = f'[data-hand="{SEAT}"] [data-do="draw"]'


CHANGES_S = 1.0
"""Table time in which the table changes over."""


def press(*hooks: str) -> Step:
    """Press these one after the other, each once the result of the one before is there."""

    def step(walk: Walk) -> None:
        for hook in hooks:
            walk.presses(hook)

    return step


def opens(view: str) -> Step:
    """Open a view by its link, from the beginning."""

    def step(walk: Walk) -> None:
        walk.find(f'nav [data-view="{view}"]').click()
        walk.find(f'main:not([hidden]) [data-view="{view}"]' if view != "table" else "[data-table]").wait_for()
        walk.settles()

    return step


def unfolds(hook: str) -> Step:
    """Open a fold, unless it is open."""

    def step(walk: Walk) -> None:
        if walk.find(hook).get_attribute("open") is None:
            walk.find(f"{hook} summary").click()
        walk.settles()

    return step


def answers(answer: str) -> Step:
    """Wait for a question, and answer it."""
    hook = f'dialog[data-question] [data-answer="{answer}"]'

    def step(walk: Walk) -> None:
        sees(hook)(walk)
        press(hook)(walk)

    return step


def changes_over(hook: str) -> Step:
    """Press what makes the table change to the assignment of seats, or back, and wait until the page is there again."""

    def step(walk: Walk) -> None:
        boot = walk.visitor.boot
        walk.presses(hook)
        walk.table.passes(CHANGES_S)
        walk.visitor.until_another_start(boot)
        walk.settles()

    return step


def is_unpaired(walk: Walk) -> None:
    """Confirm the question: that unpairs this device, which comes back as one that only watches."""
    sees('dialog[data-question] [data-answer="yes"]')(walk)
    walk.find('dialog[data-question] [data-answer="yes"]').click()
    walk.find('[data-devices="pair"]').wait_for()
    walk.accepts_note()
    walk.settles()


def fill(hook: str, text: str) -> Step:
    """Type a text into a field."""
    return lambda walk: walk.find(hook).fill(text)


def choose(hook: str, value: str) -> Step:
    """Choose one of a list by its value or its label."""

    def step(walk: Walk) -> None:
        walk.find(hook).select_option(value)
        walk.settles()

    return step


def key(*names: str) -> Step:
    """Press keys."""

    def step(walk: Walk) -> None:
        for name in names:
            walk.page.keyboard.press(name)
        walk.settles()

    return step


def sees(*hooks: str) -> Step:
    """Wait until these are to be seen."""

    def step(walk: Walk) -> None:
        for hook in hooks:
            walk.find(hook).wait_for()
        walk.looks()

    return step


def disappears(hook: str) -> Step:
    """Wait until this isn't to be seen any more."""
    return lambda walk: walk.find(hook).wait_for(state="hidden")


def saves(hook: str) -> Step:
    """Press the control that makes the browser save a file."""

    def step(walk: Walk) -> None:
        with walk.page.expect_download() as saving:
            walk.find(hook).click()
        walk.saved = saving.value.path().read_bytes()
        assert walk.saved
        walk.settles()

    return step


def uploads(answer: str) -> Step:
    """Upload the file that was saved last, and answer the question whether it may replace the present one."""

    def step(walk: Walk) -> None:
        deck = {"name": "deck.json", "mimeType": "application/json", "buffer": walk.saved}
        walk.page.locator("[data-file]").set_input_files(deck)
        answers(answer)(walk)

    return step


def has_no_display(walk: Walk) -> None:
    """The table's display is unplugged, and the table has noticed."""
    walk.table.ask(walk.table.harness.table.display.unplug)
    walk.table.passes(2 * PROBE_S)


def has_its_display(walk: Walk) -> None:
    """The table has its display back."""
    walk.table.ask(walk.table.harness.table.display.plug)
    walk.table.passes(2 * PROBE_S)
    walk.settles()


def pairs(name: str) -> Step:
    """Type in the code that stands at the table, and a name."""

    def step(walk: Walk) -> None:
        walk.page.fill('[data-pairing="code"]', code_on(walk.table))
        walk.page.fill('[data-pairing="name"]', name)
        walk.find('[data-pairing="yes"]').click()
        walk.find('[data-pairing="dialog"]').wait_for(state="hidden")
        walk.find('[data-devices="address"]').wait_for()
        walk.settles()

    return step


def leads_to_another(hook: str) -> Step:
    """In the demo, press a control that leads to another table or has the daemon killed; nobody plays by themselves
    there."""

    def step(walk: Walk) -> None:
        evening = evening_of(walk)
        evening.follows(lambda: walk.find(hook).click())
        evening.stages(Stage.empties_the_chairs)
        walk.settles()

    return step


def does(way: str, action: Callable[[Stage], PlayerAction]) -> Step:
    """The person at seat 1 of the demo does something this way, and it counts."""

    def step(walk: Walk) -> None:
        evening = evening_of(walk)
        person = Person(evening, walk.visitor, SEAT)
        wanted = evening.ask(lambda: action(Stage(evening.harness)))
        answer = person.does(wanted, way)
        assert answer.kind not in BAD, answer
        walk.settles()

    return step


def lays_and_lifts(walk: Walk) -> None:
    """A card is dragged onto the own pad, rests there for a moment, and is lifted."""
    evening = evening_of(walk)
    person = Person(evening, walk.visitor, SEAT)
    card = evening.ask(lambda: Stage(evening.harness).gives(SEAT, "extra-memory"))
    let_go = person.drags(card, SEAT)
    evening.rests(SEAT)
    let_go()
    walk.settles()


def evening_of(walk: Walk) -> DemoEvening:
    """The demo's evening."""
    assert isinstance(walk.table, DemoEvening)
    return walk.table


def hands(scene: Callable[[Stage], Awaitable[object]]) -> Step:
    """Let hands at the table play a scene."""
    return lambda walk: walk.stages(scene)


def passes(seconds: float) -> Step:
    """Let time pass at the table."""
    return lambda walk: walk.table.passes(seconds)


def taps(*cards: int) -> Step:
    """Tap new cards, by their numbers, on the discard pad, one after the other."""

    def step(walk: Walk) -> None:
        for card in cards:
            Hand(walk.table).taps(TAGS[card])
        walk.settles()

    return step


def shows_own_card(walk: Walk) -> None:
    """Somebody taps their own card on the discard pad."""
    walk.stages(lambda stage: stage.shows_at_the_discard_pad(TAGS[-1]))
    walk.settles()


def checks_rows(walk: Walk) -> None:
    """In a check of the table: each team taps all cards of its rows, and reports that it is done."""
    while (lying := walk.table.ask(lambda: _lying_before(walk.table.session))) is not None:
        seat, cards = lying
        for tap in [Tap(seat, card, seat) for card in cards]:
            walk.stages(lambda stage, tap=tap: stage.does(tap))
        walk.presses('[data-do="rows-checked"]')


def _lying_before(session: Session) -> tuple[int, tuple[str, ...]] | None:
    """A seat of the team whose rows are checked, and the cards in these; None once hands are counted."""
    checking = session.prompts.checking
    if checking is None or not checking.teams:
        return None
    seats = seats_now(checking)
    return seats[0], tuple(session.table.game.cards_of(session.table.state, seats))


def counts_hands(walk: Walk) -> None:
    """In a check of the table: each hand holds the number of cards that the table believes."""
    while walk.table.ask(lambda: walk.table.session.prompts.checking) is not None:
        walk.presses('[data-do="hand-counted"]')


def plays_a_little(walk: Walk) -> None:
    """Take the action of the own virtual player, so that there is something to take back."""
    before = walk.table.ask(lambda: walk.table.session.table.state)
    walk.stages(lambda stage: stage.plays(lambda: walk.table.session.table.state is not before))


def plays_to_a_turn(walk: Walk) -> None:
    """Play until it is somebody's turn."""
    walk.stages(lambda stage: stage.plays(lambda: walk.table.on_turn is not None))


def plays_to_an_action(walk: Walk) -> None:
    """Play until the game offers the player on turn an action of its own."""
    walk.stages(lambda stage: stage.plays(lambda: bool(legal_controls(walk.table.session.table))))


def plays_to_the_person(walk: Walk) -> None:
    """Play until a turn of the person at the demo's page begins. Another game begins where one ends before."""

    def is_over() -> bool:
        table = walk.table.session.table
        return table.game.outcome(table.state) is not None

    def comes() -> bool:
        board = walk.table.session.table.scoreboard
        return board.seat == SEAT and not board.pending and not board.window

    walk.stages(lambda stage: stage.plays(lambda: is_over() or walk.table.on_turn not in (None, SEAT)))
    walk.stages(lambda stage: stage.plays(lambda: is_over() or comes()))
    if walk.table.ask(is_over):
        walk.stages(lambda stage: stage.uses("new-game", SEAT))
        plays_to_the_person(walk)


def others_pass(walk: Walk) -> None:
    """All others end their turn at once, until a turn of the person at the demo's page begins."""

    async def scene(stage: Stage) -> None:
        while stage.on_turn != SEAT:
            await stage.does(Push(stage.on_turn))

    walk.stages(scene)


def plays_by_hand(*verbs: str) -> Step:
    """The person at the demo's page takes the actions of their virtual player, until each of these was requested."""

    def step(walk: Walk) -> None:
        evening = evening_of(walk)
        person = Person(evening, walk.visitor, SEAT, ways=("button",))
        plays_to_the_person(walk)
        while not set(verbs) <= {message["do"] for message in walk.frames.sent}:
            action = evening.ask(lambda: evening.wish(SEAT))
            if action is None:
                plays_to_the_person(walk)
            elif walk.visitor.is_seen(DRAW):
                walk.presses(DRAW)
            else:
                person.does(action)
        plays_to_the_person(walk)

    return step


def breaks_off(walk: Walk) -> None:
    """The player on turn cancels the action that they have begun, by their button."""
    seat = walk.table.ask(lambda: walk.table.on_turn)
    assert seat is not None
    walk.stages(lambda stage: stage.does(Push(seat)))


def goes_on(walk: Walk) -> None:
    """If the action has paused the game, press a button."""
    if walk.table.ask(lambda: walk.table.people.paused):
        walk.table.passes(SETTLES_S)
        walk.stages(lambda stage: stage.does(Push(1)))


def is_paused(wanted: bool) -> Step:
    """The game waits, or it doesn't."""

    def step(walk: Walk) -> None:
        assert walk.table.ask(lambda: walk.table.people.paused) == wanted

    return step
