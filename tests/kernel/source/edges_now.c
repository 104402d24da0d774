// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * User-mode Linux has no interrupt to raise for work that wants one: what gpio-sim's pins have to tell waits for the next
 * tick, up to 10 ms, and is stamped then. Here a timer that is due at once stands in for that interrupt, so that an edge
 * is stamped some microseconds after it was made, as on a Pi.
 */
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/irq_work.h>

static struct hrtimer timer;
static bool ready;

static enum hrtimer_restart run(struct hrtimer *unused)
{
	irq_work_run();
	return HRTIMER_NORESTART;
}

void arch_irq_work_raise(void)
{
	if (ready)
		hrtimer_start(&timer, 0, HRTIMER_MODE_REL_HARD);
}

static int __init make_ready(void)
{
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	timer.function = run;
	ready = true;
	return 0;
}
core_initcall(make_ready);
