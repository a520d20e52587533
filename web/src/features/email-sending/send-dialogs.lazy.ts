import { loadScript } from '../../platform/load-script.ts';
import { lazyPart } from '../../ui/lazy-part.ts';

// The dialogs as lazy parts, for other features.

export const SendEmailDialog = lazyPart(() => import('./SendEmailDialog.tsx'));
export const MergeDialog = lazyPart(() => import('./MergeDialog.tsx'));

export const loadFollowMessage = () =>
  loadScript(async () => (await import('./SendEmailDialogToast.tsx')).followMessage);
