import type { ExportFormat } from '@forecourt/contract/exports';
import type { Ability } from '@forecourt/contract/route';
import Ban from 'lucide-react/icons/ban';
import CalendarArrowDown from 'lucide-react/icons/calendar-arrow-down';
import Download from 'lucide-react/icons/download';
import History from 'lucide-react/icons/history';
import MessageSquare from 'lucide-react/icons/message-square';
import Package from 'lucide-react/icons/package';
import PanelRightOpen from 'lucide-react/icons/panel-right-open';
import Paperclip from 'lucide-react/icons/paperclip';
import Tag from 'lucide-react/icons/tag';
import Undo2 from 'lucide-react/icons/undo-2';
import { exportSelection } from '../../../platform/exports.ts';
import { texts } from '../../../texts/deal-actions.ts';
import { texts as attachmentTexts } from '../../../texts/deal-attachments.ts';
import { texts as commentTexts } from '../../../texts/deal-comments.ts';
import { texts as common } from '../../../texts/deals.ts';
import { texts as deleted } from '../../../texts/deleted-deals.ts';
import { texts as contactTexts } from '../../../texts/do-not-contact.ts';
import { texts as exportTexts } from '../../../texts/exports.ts';
import { toastDone, toastFailed, toastWarning } from '../../../ui/toasts.ts';
import { existsFor } from '../deal-fields.ts';
import { contactsOf, type DealRow } from '../deal-row.ts';
import { findContact, itemsInEdit } from '../open-parts.ts';
import {
  createAction,
  fitsOneCall,
  oneRowAbility,
  openActions,
  openerOf,
  savedAbility,
  type ActionScope,
  type DealAction,
} from './main-actions.ts';
import { changeAbility, mergeAction } from './merge-actions.ts';

/** The less frequent actions. Actions that the user does not have are false or absent. */
export function moreActions(scope: ActionScope) {
  const { rows, columnId, permissions, options } = scope;
  const [first] = rows;
  const open = openerOf(scope);
  const opens = openActions(scope);
  const opening = (id: keyof typeof opens, label: string, icon: DealAction['icon']): DealAction =>
    createAction(id, label, icon, opens[id].run, opens[id]);
  const has = (id: string): boolean => options !== undefined && existsFor(options, id);
  const change = changeAbility(rows, permissions.feature('bulkEdit'));
  const oneRow = oneRowAbility(rows);
  const fits = fitsOneCall(rows.length);
  const exporting = (format: ExportFormat, label: string): DealAction | false =>
    permissions.feature('export') &&
    permissions.can('dataEntry', 'canExport') &&
    createAction(format, label, Download, () => void exportRows(idsOf(rows), format), {
      ability: fits === true ? savedAbility(rows) : fits,
    });
  return {
    open: scope.onOpen && opening('open', texts.open, PanelRightOpen),
    items:
      has('items') &&
      createAction('items', texts.items, Package, () => first && itemsInEdit.set(first.key), {
        ability: rows.length > 1 ? common.oneRow : changeAbility(rows, true, false),
      }),
    status:
      has('status') && createAction('status', texts.setStatus, Tag, open('status'), { ability: change }),
    month:
      permissions.can('dataEntry', 'canAccessAllMonths') &&
      createAction('month', texts.setMonth, CalendarArrowDown, open('month'), { ability: change }),
    merge: mergeAction(scope),
    comments: opening('comments', commentTexts.open, MessageSquare),
    attachments: opening('attachments', attachmentTexts.open, Paperclip),
    doNotContact:
      (has('customerNumber') || has('customerEmail')) &&
      createAction('doNotContact', contactTexts.open, Ban, open('doNotContact'), {
        ability: contactAbility(rows),
      }),
    history: createAction('history', texts.history, History, open('history'), { ability: oneRow }),
    cellHistory:
      columnId !== undefined &&
      has(columnId) &&
      createAction('cellHistory', texts.cellHistory, History, open('history', columnId), { ability: oneRow }),
    xlsx: exporting('xlsx', texts.exportExcel),
    csv: exporting('csv', texts.exportCsv),
    deleted: permissions.isAdmin && createAction('deleted', deleted.open, Undo2, open('deleted')),
  };
}

const idsOf = (rows: readonly DealRow[]): string[] => rows.flatMap(({ deal }) => deal?._id ?? []);

/** Returns `true` if a value of the rows can be added to the Do not contact list, otherwise the reason. */
function contactAbility(rows: readonly DealRow[]): Ability {
  const contacts = rows.flatMap(contactsOf);
  if (contacts.length === 0) return rows.length === 0 ? common.chooseRow : contactTexts.nothingToAdd;
  return contacts.some((contact) => !findContact.get()(contact)) || contactTexts.isListed;
}

/** Exports these rows and downloads the file when it is ready. Toasts show the progress. */
async function exportRows(ids: string[], format: ExportFormat): Promise<void> {
  toastDone(exportTexts.exporting(ids.length));
  try {
    const made = await exportSelection(ids, format);
    if (made.state === 'ready') toastDone(exportTexts.ready(made.name, made.rows));
    else toastWarning(made.message ?? exportTexts.notMade);
  } catch (failure) {
    toastFailed(failure, exportTexts.notMade);
  }
}
