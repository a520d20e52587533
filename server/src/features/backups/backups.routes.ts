import type { backupRowRoutes } from '@forecourt/contract/backup-rows';
import type { backupRoutes } from '@forecourt/contract/backups';
import type { Downloads } from '../../platform/http/downloads.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { HeldMail } from '../email-sending/held-mail.service.ts';
import type { BackupsService } from './backups.service.ts';
import type { CopyFetcher } from './fetch-copy.ts';
import type { S3SettingsService } from './s3-settings.service.ts';
import type { ScheduleService } from './schedule.service.ts';
import type { SshSettingsService } from './ssh-settings.service.ts';

type Services = {
  backups: BackupsService;
  fetcher: CopyFetcher;
  heldMail: HeldMail;
  schedule: ScheduleService;
  ssh: SshSettingsService;
  s3: S3SettingsService;
  downloads: Downloads;
};

/** Only administrators may use backups: a backup contains all data. */
export const createBackupRoutes = ({
  backups,
  fetcher,
  heldMail,
  schedule,
  ssh,
  s3,
  downloads,
}: Services): Routes<typeof backupRoutes & typeof backupRowRoutes> => ({
  'GET /backups': [administrator, () => backups.list()],
  'POST /backups': [administrator, (ctx) => backups.begin(ctx)],
  'GET /backups/:name': [administrator, (ctx, { params }) => backups.download(ctx, params.name)],
  'POST /backups/:name/download-ticket': [
    administrator,
    async (ctx, { params }) => {
      await backups.requireFile(params.name);
      return downloads.ticketFor(ctx, 'backup', params.name);
    },
  ],
  'POST /backups/upload': [administrator, (ctx, { file }) => backups.upload(ctx, file)],
  'POST /backups/:name/check': [administrator, (ctx, { params }) => backups.check(ctx, params.name)],
  'POST /backups/:name/fetch': [administrator, (ctx, { params }) => fetcher.fetch(ctx, params.name)],
  'POST /backups/:name/restore': [
    administrator,
    (ctx, { params, body }) => backups.restore(ctx, params.name, body),
  ],
  'POST /backups/:name/rows': [
    administrator,
    (ctx, { params, body }) => backups.searchRows(ctx, params.name, body),
  ],
  'POST /backups/:name/rows/copy': [
    administrator,
    (ctx, { params, body }) => backups.copyRows(ctx, params.name, body),
  ],
  'DELETE /backups/:name': [
    administrator,
    (ctx, { params, query }) => backups.remove(ctx, params.name, query.confirm === 'true'),
  ],
  'GET /backups/held-mail': [administrator, (ctx) => heldMail.count(ctx)],
  'POST /backups/held-mail/release': [administrator, (ctx) => heldMail.release(ctx)],
  'POST /backups/held-mail/discard': [administrator, (ctx) => heldMail.discard(ctx)],
  'GET /backups/scheduler/status': [administrator, (ctx) => schedule.status(ctx)],
  'POST /backups/scheduler/start': [administrator, (ctx) => schedule.start(ctx)],
  'POST /backups/scheduler/stop': [administrator, (ctx) => schedule.stop(ctx)],
  'POST /backups/scheduler/trigger': [administrator, (ctx) => schedule.trigger(ctx)],
  'GET /backups/ssh-settings': [administrator, (ctx) => ssh.get(ctx)],
  'POST /backups/ssh-settings': [administrator, (ctx, { body }) => ssh.save(ctx, body)],
  'POST /backups/ssh-settings/test': [administrator, (ctx, { body }) => ssh.test(ctx, body)],
  'GET /backups/s3-settings': [administrator, (ctx) => s3.get(ctx)],
  'POST /backups/s3-settings': [administrator, (ctx, { body }) => s3.save(ctx, body)],
  'POST /backups/s3-settings/test': [administrator, (ctx, { body }) => s3.test(ctx, body)],
});
