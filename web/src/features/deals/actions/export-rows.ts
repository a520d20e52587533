import type { ExportFormat } from '@forecourt/contract/exports';
import { texts } from '../../../texts/exports.ts';
import { toastDone, toastFailed, toastWarning } from '../../../ui/toasts.ts';
import { exportSelection } from '../../exports/exports.queries.ts';

/** Creates a file of these rows and downloads it when it is ready. Shows the progress in toasts. */
export async function exportRows(ids: string[], format: ExportFormat): Promise<void> {
  toastDone(texts.exporting(ids.length));
  try {
    const made = await exportSelection(ids, format);
    if (made.state === 'ready') toastDone(texts.ready(made.name, made.rows));
    else toastWarning(made.message ?? texts.notMade);
  } catch (failure) {
    toastFailed(failure, texts.notMade);
  }
}
