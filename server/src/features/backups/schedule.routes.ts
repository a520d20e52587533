import type { backupRoutes } from '@forecourt/contract/backups';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { ScheduleService } from './schedule.service.ts';
import type { SshSettingsService } from './ssh-settings.service.ts';

type Own = Extract<
  keyof typeof backupRoutes,
  `${string}/scheduler/${string}` | `${string}/ssh-settings${string}`
>;

/** The schedule of backups, and the server for their copies. */
export const createScheduleRoutes = (
  schedule: ScheduleService,
  ssh: SshSettingsService,
): Pick<Routes<typeof backupRoutes>, Own> => ({
  'GET /backups/scheduler/status': [administrator, (ctx) => schedule.status(ctx)],
  'POST /backups/scheduler/start': [administrator, (ctx) => schedule.start(ctx)],
  'POST /backups/scheduler/stop': [administrator, (ctx) => schedule.stop(ctx)],
  'POST /backups/scheduler/trigger': [administrator, (ctx) => schedule.trigger(ctx)],
  'GET /backups/ssh-settings': [administrator, (ctx) => ssh.get(ctx)],
  'POST /backups/ssh-settings': [administrator, (ctx, { body }) => ssh.save(ctx, body)],
  'POST /backups/ssh-settings/test': [administrator, (ctx, { body }) => ssh.test(ctx, body)],
});
