import type { SchedulerStatus } from '@forecourt/contract/backups';
import type { Clock } from '../../platform/clock.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import type { BackupAlerts } from './backup-alerts.service.ts';
import { auditSettings } from './backup-audit.ts';
import type { BackupsService } from './backups.service.ts';
import { nextFullHour } from './schedule.policy.ts';
import * as queries from './schedule.queries.ts';

type Parts = {
  clock: Pick<Clock, 'timeZone'>;
  backups: Pick<BackupsService, 'begin'>;
  alerts: Pick<BackupAlerts, 'list'>;
};

/** Turns scheduled backups on and off (docs/product/backups.md, Schedule). The setting is stored. */
export function createScheduleService({ clock, backups, alerts }: Parts) {
  async function status(ctx: Context): Promise<SchedulerStatus> {
    const { scheduler_running: isRunning } = await queries.findSchedule(ctx.db);
    const next = nextFullHour(await queries.databaseTime(ctx.db), clock.timeZone);
    return {
      isRunning,
      nextRun: isRunning ? next.toISOString() : null,
      activeTasks: await queries.listPendingNames(ctx.db),
      alerts: await alerts.list(ctx.db),
    };
  }

  const setRunning = (ctx: Context, isRunning: boolean): Promise<SchedulerStatus> =>
    inTransaction(ctx, async (inner) => {
      if (await queries.setRunning(inner.db, isRunning)) {
        await auditSettings(inner.db, ctx, `backup-scheduler.${isRunning ? 'started' : 'stopped'}`);
      }
      return status(inner);
    });

  return {
    status,
    start: (ctx: Context): Promise<SchedulerStatus> => setRunning(ctx, true),
    stop: (ctx: Context): Promise<SchedulerStatus> => setRunning(ctx, false),

    /** Starts an automatic backup in addition to the hourly ones. */
    async trigger(ctx: Context): Promise<SchedulerStatus> {
      await backups.begin(ctx, 'automatic');
      return status(ctx);
    },
  };
}

export type ScheduleService = ReturnType<typeof createScheduleService>;
