"""All that can be asked of a league, by whoever shows it."""

from taptable.league.exports import (
    export_rows,
)
from taptable.league.game_lines import (
    game,
    games,
    transcript,
)
from taptable.league.shown import (
    GameLine,
    HeadToHead,
    Member,
    MemberPage,
    Rating,
    RatingStep,
    RecordLine,
    Remark,
    Season,
    Seat,
    Standing,
    TableLine,
    TableNow,
)
from taptable.league.standings import (
    head_to_head,
    member_page,
    members,
    records,
    seasons,
    standings,
)
from taptable.league.wall import (
    table_list,
    wall,
    wall_changes,
)

__all__ = [
    "GameLine",
    "HeadToHead",
    "Member",
    "MemberPage",
    "Rating",
    "RatingStep",
    "RecordLine",
    "Remark",
    "Season",
    "Seat",
    "Standing",
    "TableLine",
    "TableNow",
    "export_rows",
    "game",
    "games",
    "head_to_head",
    "member_page",
    "members",
    "records",
    "seasons",
    "standings",
    "table_list",
    "transcript",
    "wall",
    "wall_changes",
]
