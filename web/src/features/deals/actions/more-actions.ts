import { MAX_MERGED_DUPLICATES } from '@forecourt/contract/deal-limits';
import type { ExportFormat } from '@forecourt/contract/exports';
import type { Ability } from '@forecourt/contract/route';
import Ban from 'lucide-react/icons/ban';
import CalendarArrowDown from 'lucide-react/icons/calendar-arrow-down';
import Download from 'lucide-react/icons/download';
import History from 'lucide-react/icons/history';
import Merge from 'lucide-react/icons/merge';
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
import { texts as mergeTexts } from '../../../texts/deal-merge.ts';
import { texts as common } from '../../../texts/deals.ts';
import { texts as deleted } from '../../../texts/deleted-deals.ts';
import { texts as contactTexts } from '../../../texts/do-not-contact.ts';
import { texts as exportTexts } from '../../../texts/exports.ts';
import { toastDone, toastFailed, toastWarning } from '../../../ui/toasts.ts';
import { existsFor } from '../deal-fields.ts';
import { contactsOf, editAbility, type DealRow } from '../deal-row.ts';
import { findContact, itemsInEdit, openComments } from '../open-parts.ts';
import {
  createAction,
  fitsOneCall,
  manyAbility,
  openerOf,
  type ActionScope,
  type DealAction,
} from './main-actions.ts';

/** The less frequent actions. Actions that the user does not have are false or absent. */
export function moreActions(scope: ActionScope) {
  const { rows, columnId, onOpen, permissions, options } = scope;
  const [first] = rows;
  const open = openerOf(scope);
  const has = (id: string): boolean => options !== undefined && existsFor(options, id);
  const change = changeAbility(rows, permissions.feature('bulkEdit'));
  const read: Ability = rows.length > 1 ? texts.oneRow : savedAbility(rows);
  const fits = fitsOneCall(rows.length);
  const exporting = (format: ExportFormat, label: string): DealAction | false =>
    permissions.feature('export') &&
    permissions.can('dataEntry', 'canExport') &&
    createAction(format, label, Download, () => void exportRows(idsOf(rows), format), {
      ability: fits === true ? savedAbility(rows) : fits,
    });
  return {
    open:
      onOpen &&
      createAction('open', texts.open, PanelRightOpen, () => first?.deal && onOpen(first.deal._id), {
        keys: 'Space',
        ability: read,
      }),
    items:
      has('items') &&
      createAction('items', texts.items, Package, () => first && itemsInEdit.set(first.key), {
        ability: rows.length > 1 ? texts.oneRow : changeAbility(rows, true, false),
      }),
    status:
      has('status') && createAction('status', texts.setStatus, Tag, open('status'), { ability: change }),
    month:
      permissions.can('dataEntry', 'canAccessAllMonths') &&
      createAction('month', texts.setMonth, CalendarArrowDown, open('month'), { ability: change }),
    merge:
      rows.length > 1 &&
      createAction('merge', mergeTexts.open, Merge, open('merge'), { ability: mergeAbility(rows) }),
    comments: createAction(
      'comments',
      commentTexts.open,
      MessageSquare,
      () => first?.deal && openComments(first.deal._id),
      { keys: 'Alt+C', ability: read },
    ),
    attachments: createAction('attachments', attachmentTexts.open, Paperclip, open('attachments'), {
      keys: 'Alt+A',
      ability: read,
    }),
    doNotContact:
      (has('customerNumber') || has('customerEmail')) &&
      createAction('doNotContact', contactTexts.open, Ban, open('doNotContact'), {
        ability: contactAbility(rows),
      }),
    history: createAction('history', texts.history, History, open('history'), { ability: read }),
    cellHistory:
      columnId !== undefined &&
      has(columnId) &&
      createAction('cellHistory', texts.cellHistory, History, open('history', columnId), { ability: read }),
    xlsx: exporting('xlsx', texts.exportExcel),
    csv: exporting('csv', texts.exportCsv),
    deleted: permissions.isAdmin && createAction('deleted', deleted.open, Undo2, open('deleted')),
  };
}

const idsOf = (rows: readonly DealRow[]): string[] => rows.flatMap(({ deal }) => deal?._id ?? []);

function savedAbility(rows: readonly DealRow[]): Ability {
  if (rows.length === 0) return common.chooseRow;
  return rows.every(({ deal }) => deal !== null) || common.saveFirst;
}

/** Returns `true` if a value of the rows can be added to the Do not contact list, otherwise the reason. */
function contactAbility(rows: readonly DealRow[]): Ability {
  const contacts = rows.flatMap(contactsOf);
  if (contacts.length === 0) return rows.length === 0 ? common.chooseRow : contactTexts.nothingToAdd;
  return contacts.some((contact) => !findContact.get()(contact)) || contactTexts.isListed;
}

/** Returns `true` if all rows may be changed, otherwise the first reason. */
function changeAbility(rows: readonly DealRow[], canBulk: boolean, mustBeSaved = true): Ability {
  const there = mustBeSaved || rows.length === 0 ? savedAbility(rows) : true;
  if (there !== true) return there;
  const many = manyAbility(rows.length, canBulk, 'change');
  if (many !== true) return many;
  const abilities = rows.map(({ deal }) => deal === null || editAbility(deal));
  return abilities.find((ability) => ability !== true) ?? true;
}

/** Returns `true` if the rows may be merged, otherwise the first reason. All of them but one are deleted. */
export function mergeAbility(rows: readonly DealRow[]): Ability {
  const fits = fitsOneCall(rows.length, MAX_MERGED_DUPLICATES + 1);
  if (fits !== true) return fits;
  const change = changeAbility(rows, true);
  if (change !== true) return change;
  // The message about a value that is not saved is beside it.
  if (rows.some(({ draft }) => draft !== undefined)) return mergeTexts.changesFirst;
  const stay = rows.filter(({ deal }) => deal?.abilities.delete !== true);
  return stay.length <= 1 || common.mayNotDelete;
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
