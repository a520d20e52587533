import type { backupRoutes } from '@forecourt/contract/backups';
import type { Downloads } from '../../platform/http/downloads.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { HeldMail } from '../email-sending/held-mail.service.ts';
import type { BackupsService } from './backups.service.ts';
import type { CopyFetcher } from './fetch-copy.ts';

type Own = Exclude<
  keyof typeof backupRoutes,
  `${string}/scheduler/${string}` | `${string}/ssh-settings${string}`
>;

/** For administrators only: a backup contains all data. */
export const createBackupRoutes = (
  backups: BackupsService,
  fetcher: CopyFetcher,
  heldMail: HeldMail,
  downloads: Downloads,
): Pick<Routes<typeof backupRoutes>, Own> => ({
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
  'DELETE /backups/:name': [
    administrator,
    (ctx, { params, query }) => backups.remove(ctx, params.name, query.confirm === 'true'),
  ],
  'GET /backups/parked-mail': [administrator, (ctx) => heldMail.count(ctx)],
  'POST /backups/parked-mail/release': [administrator, (ctx) => heldMail.release(ctx)],
  'POST /backups/parked-mail/discard': [administrator, (ctx) => heldMail.discard(ctx)],
});
