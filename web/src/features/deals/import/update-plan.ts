import { isCustomKey } from '@forecourt/contract/custom-field-types';
import type { VisibleCustomField } from '@forecourt/contract/custom-fields';
import type { ExistingDeal, ImportBody, ImportPreviewRow, MatchBy } from '@forecourt/contract/deal-import';
import { comparedColumns, comparedTypes } from '@forecourt/contract/import-modes';
import { texts } from '../../../texts/deal-import.ts';
import type { ColumnMatch, ImportField } from '../../../ui/import/matched-columns.ts';
import { describeChange } from '../history/change-texts.ts';
import type { ImportedField } from './cells.ts';
import { describeExisting, type ImportLine } from './plan.ts';

/** What the user decided about lines, by line number: the id of a row, `new` or `none`. */
export type Decisions = ReadonlyMap<number, string>;
type Decision = ImportBody['decisions'][number];

export type Comparison = {
  readonly value: string;
  readonly label: string;
  readonly matchBy: MatchBy;
  /** The fields whose values are compared. */
  readonly compared: readonly ImportedField[];
};

/** Returns by which columns of the file its lines can find their rows. The first is the usual one. */
export function comparisonsIn(
  match: ColumnMatch<ImportedField>,
  fields: readonly ImportField<ImportedField>[],
  customFields: readonly VisibleCustomField[],
): Comparison[] {
  const isInFile = (field: ImportedField): boolean => (match[field] ?? null) !== null;
  const labelOf = (field: ImportedField) => fields.find((one) => one.field === field)?.label ?? '';
  const canCompare = (field: ImportedField): boolean =>
    isCustomKey(field)
      ? customFields.some(({ key, type }) => key === field && comparedTypes.includes(type))
      : (comparedColumns as readonly string[]).includes(field);
  return [
    ...(isInFile('dealNumber')
      ? [
          {
            value: 'dealNumber',
            label: labelOf('dealNumber'),
            matchBy: 'dealNumber' as const,
            compared: ['dealNumber' as const],
          },
        ]
      : []),
    ...(isInFile('customerNumber') && isInFile('customerName')
      ? [
          {
            value: 'phoneAndName',
            label: texts.phoneAndName,
            matchBy: 'phoneAndName' as const,
            compared: ['customerNumber' as const, 'customerName' as const],
          },
        ]
      : []),
    ...fields
      .filter(({ field }) => field !== 'dealNumber' && isInFile(field) && canCompare(field))
      .map(({ field, label }) => ({
        value: field as string,
        label,
        matchBy: { column: field } as Exclude<MatchBy, string>,
        compared: [field],
      })),
  ];
}

export type Presenting = {
  fields: readonly ImportField<ImportedField>[];
  /** The fields by which lines find their rows. */
  compared: readonly ImportedField[];
  canAdd: boolean;
  timeZone: string;
};

/** Returns the lines with what the import does with each. Lines without a result of the server are unchanged. */
export const withPreview = (
  lines: readonly ImportLine[],
  preview: readonly ImportPreviewRow[] | undefined,
  presenting: Presenting,
): readonly ImportLine[] =>
  preview?.length === lines.length
    ? lines.map((line, index) => {
        const { reason, earlierRow, ...result } = preview[index]!;
        const why = earlierRow === null ? reason : texts.sameRowAs(lines[earlierRow]!.number);
        return withResult(line, { ...result, reason: why }, presenting);
      })
    : lines;

function withResult(
  line: ImportLine,
  { kind, deal, candidates, changes, reason }: Omit<ImportPreviewRow, 'earlierRow'>,
  { fields, compared, canAdd, timeZone }: Presenting,
): ImportLine {
  const cells = { ...line.cells };
  const values: Partial<Record<ImportedField, { before: string; after: string }>> = {};
  for (const change of changes) {
    const field = fields.find((one) => one.field === change.field)?.field;
    if (field === undefined) continue;
    const { before, after } = describeChange(change, false, timeZone);
    values[field] = { before: before ?? '', after };
    // A value that follows from others, such as the month, is not in the file.
    if (cells[field] === '' && change.after !== null) cells[field] = after;
  }
  const options = optionsOf({ kind, deal, candidates }, canAdd);
  return {
    ...line,
    cells,
    changes: values,
    isSame: kind === 'same',
    candidates,
    // A wrong number finds no row, or that of somebody else.
    ...(deal === null && { editable: compared }),
    leftOut: isLeftOut(kind) ? [texts.leftOut, reason].filter(Boolean).join('. ') : null,
    ...(options.length > 1 && { choice: { value: valueOf(kind, deal), options } }),
  };
}

/** Returns the lines, of which those with an invalid cell are corrected or left out. */
export const withInvalidChoices = (
  lines: readonly ImportLine[],
  decisions: Decisions,
): readonly ImportLine[] =>
  lines.map((line) => {
    if (Object.keys(line.errors).length === 0) return line;
    const isLeft = decisions.get(line.number) === 'none';
    const options = [
      { value: '', label: texts.correctLine },
      { value: 'none', label: texts.leaveOut },
    ];
    return {
      ...line,
      leftOut: isLeft ? texts.leftOut : null,
      choice: { value: isLeft ? 'none' : '', options },
    };
  });

const isLeftOut = (kind: ImportPreviewRow['kind']): boolean =>
  ['unmatched', 'ambiguous', 'refused', 'none'].includes(kind);

const valueOf = (kind: ImportPreviewRow['kind'], deal: ExistingDeal | null): string =>
  kind === 'new' ? 'new' : (deal?._id ?? (isUndecided(kind, deal) ? '' : 'none'));

/** Whether the user has to choose, because nothing that can be done with the line is chosen. */
const isUndecided = (kind: ImportPreviewRow['kind'], deal: ExistingDeal | null): boolean =>
  deal === null && (kind === 'ambiguous' || kind === 'refused');

/** Returns what can be done with a line. */
function optionsOf(
  { kind, deal, candidates }: Pick<ImportPreviewRow, 'kind' | 'deal' | 'candidates'>,
  canAdd: boolean,
): { value: string; label: string }[] {
  if (kind === 'same') return [];
  const rows = candidates.length > 0 ? candidates : deal ? [deal] : [];
  return [
    ...(isUndecided(kind, deal)
      ? [{ value: '', label: rows.length > 0 ? texts.chooseRow : texts.undecided }]
      : []),
    ...rows.map((row) => ({ value: row._id, label: texts.updateRow(describeExisting(row)) })),
    ...(canAdd ? [{ value: 'new', label: texts.addRow }] : []),
    { value: 'none', label: texts.leaveOut },
  ];
}

/** Returns the decisions of the user, for a preview. */
export const decisionsOf = (lines: readonly ImportLine[], decisions: Decisions): Decision[] =>
  lines.flatMap(({ number }, row): Decision[] => {
    const deal = decisions.get(number) || undefined;
    return deal === undefined ? [] : [{ row, deal }];
  });

/** Returns the decisions of an import that writes only what its preview shows. */
export const shownDecisions = (preview: readonly ImportPreviewRow[]): Decision[] =>
  preview.map(({ kind, deal, candidates }, row): Decision => {
    if (kind === 'new') return { row, deal: candidates.length > 0 ? 'new' : 'newIfUnmatched' };
    return deal && !isLeftOut(kind) ? { row, deal: deal._id, version: deal.version } : { row, deal: 'none' };
  });

/** Returns the lines that were left out although the preview announced otherwise, with the reasons. */
export const leftSince = (
  left: readonly { row: number; reason: string }[],
  lines: readonly ImportLine[],
  preview: readonly ImportPreviewRow[],
): { line: number; reason: string }[] =>
  left.flatMap(({ row, reason }) =>
    preview[row]?.reason === null ? { line: lines[row]!.number, reason } : [],
  );
