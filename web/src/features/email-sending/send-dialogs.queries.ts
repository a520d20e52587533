import { loadScript } from '../../platform/load-script.ts';

/** Lazily loaded dialogs, for other features. */
export const loadSendEmailDialog = async () => (await import('./SendEmailDialog.tsx')).SendEmailDialog;
export const loadMergeDialog = async () => (await import('./MergeDialog.tsx')).MergeDialog;

export const loadFollowMessage = () =>
  loadScript(async () => (await import('./SendEmailDialogToast.tsx')).followMessage);
