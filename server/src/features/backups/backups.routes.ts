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
  'GET /backups': { allow: administrator, handle: () => backups.list() },
  'POST /backups': { allow: administrator, handle: (ctx) => backups.begin(ctx) },
  'GET /backups/:name': {
    allow: administrator,
    handle: (ctx, { params }) => backups.download(ctx, params.name),
  },
  'POST /backups/:name/download-ticket': {
    allow: administrator,
    handle: async (ctx, { params }) => {
      await backups.requireFile(params.name);
      return downloads.ticketFor(ctx, 'backup', params.name);
    },
  },
  'POST /backups/upload': { allow: administrator, handle: (ctx, { file }) => backups.upload(ctx, file) },
  'POST /backups/:name/check': {
    allow: administrator,
    handle: (ctx, { params }) => backups.check(ctx, params.name),
  },
  'POST /backups/:name/fetch': {
    allow: administrator,
    handle: (ctx, { params }) => fetcher.fetch(ctx, params.name),
  },
  'POST /backups/:name/restore': {
    allow: administrator,
    handle: (ctx, { params, body }) => backups.restore(ctx, params.name, body),
  },
  'DELETE /backups/:name': {
    allow: administrator,
    handle: (ctx, { params, query }) => backups.remove(ctx, params.name, query.confirm === 'true'),
  },
  'GET /backups/parked-mail': { allow: administrator, handle: (ctx) => heldMail.count(ctx) },
  'POST /backups/parked-mail/release': { allow: administrator, handle: (ctx) => heldMail.release(ctx) },
  'POST /backups/parked-mail/discard': { allow: administrator, handle: (ctx) => heldMail.discard(ctx) },
});
