import { isCustomKey } from '@forecourt/contract/custom-field-types';
import { ActionIcon } from '@mantine/core';
import ExternalLink from 'lucide-react/icons/external-link';
import Phone from 'lucide-react/icons/phone';
import { useRef, useState, type ReactNode, type RefObject } from 'react';
import { blockedReason, displayText, useEditing, type GridColumn } from '../../../grid/grid.ts';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { useStore } from '../../../platform/external-store.ts';
import { texts as fileTexts } from '../../../texts/deal-attachments.ts';
import { texts as noticeTexts } from '../../../texts/deal-notices.ts';
import { texts } from '../../../texts/deal-page.ts';
import { texts as common } from '../../../texts/deals.ts';
import { Card } from '../../../ui/Card.tsx';
import { isKeyOfPage } from '../../../ui/record-page.ts';
import { describeContact } from '../../do-not-contact/do-not-contact.queries.ts';
import { DealFiles } from '../attachments/DealAttachments.tsx';
import { safeAddress } from '../custom/custom-values.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { linesOf, requiredFields, type DealField } from '../deal-fields.ts';
import { editAbility, valueOf, type DealRow } from '../deal-row.ts';
import { formatItems, formatPricedItems } from '../items/deal-items.ts';
import {
  DecisionButtons,
  decisionsOf,
  useDecisionKeys,
  useDecisionParts,
  type Decision,
} from '../notices/decisions.tsx';
import { findContact } from '../open-parts.ts';
import { describeNewerValue, describeUnsent } from '../sync/field-conflicts.ts';
import { Duplicates } from './Duplicates.tsx';
import { FieldValue } from './FieldValue.tsx';
import styles from './DealPage.module.css';

/** Dates are side by side, in the position of the follow-up. */
const dates = ['deliveryDate', 'followUpAt', 'createdAt'];

const inPageOrder = (columns: readonly GridColumn<DealRow>[]): GridColumn<DealRow>[] => {
  const ofDates = dates.flatMap((id) => columns.filter((column) => column.id === id));
  const last = columns.findLastIndex(({ id }) => id === 'followUpAt' || id === 'deliveryDate');
  return columns.flatMap((column, at) =>
    at === last ? ofDates : dates.includes(column.id) && last >= 0 ? [] : [column],
  );
};

type DealDetailsProps = { dealId: string; row: DealRow; page: RefObject<HTMLElement | null> };

/**
 * The fields of the row in the order of the columns, with decisions about typed values, files and possible duplicates.
 * Alt+M and Alt+T decide the focused conflict, otherwise the first one.
 */
export function DealDetails({ dealId, row, page }: DealDetailsProps): ReactNode {
  const { columns, options, deals } = useDataEntry();
  const timeZone = useTimeZone();
  const editing = useEditing({
    store: deals.rows,
    columns,
    timeZone,
    onCommand: deals.onCommand,
    onTyping: deals.onTyping,
    // Ignored, because the value shows the reason itself.
    onBlocked: () => undefined,
  });
  const list = useRef<HTMLDListElement>(null);
  const [focused, setFocused] = useState<DealField | null>(null);
  const { deal, draft } = row;
  const required = new Set<string>(requiredFields(options));
  const all = draft ? decisionsOf(draft) : [];
  const places = new Map<string, number>(columns.map(({ id }, place) => [id, place]));
  const placeOf = ({ field }: Decision): number => places.get(field) ?? places.size;
  const conflicts = all
    .filter(({ reason }) => reason.kind === 'conflict')
    .sort((a, b) => placeOf(a) - placeOf(b));
  const byKey = conflicts.find(({ field }) => field === focused) ?? conflicts[0];
  /** The focused button disappears. */
  const focusList = (): void => list.current?.focus({ preventScroll: true });
  useDecisionKeys(
    (event) => (isKeyOfPage(event, page.current) ? byKey : undefined),
    () => {
      if (focused !== null) focusList();
    },
  );
  if (deal === null) return null;
  const ability = editAbility(deal);
  /** Whether the value can be edited, or has its own reason against it. */
  const isOpen = ({ id, readOnly }: GridColumn<DealRow>): boolean =>
    !readOnly && (ability === true || id === 'owner');
  const isShown = (column: GridColumn<DealRow>): boolean => {
    const { id } = column;
    if (all.some(({ field }) => field === id)) return true;
    if (!isCustomKey(id)) return id in deal && id !== 'month';
    return valueOf(row, id) !== null || (isOpen(column) && blockedReason(column, row) === null);
  };
  const decisions = (chosen: readonly Decision[]): ReactNode =>
    chosen.map((decision) => (
      <FieldDecision
        key={decision.reason.kind}
        decision={decision}
        row={row}
        hasKeys={decision === byKey}
        onFocused={setFocused}
        onDecided={focusList}
      />
    ));
  return (
    <div className="ui-stack">
      <Card title={texts.details}>
        {ability !== true && <p className="ui-muted ui-mb-3">{ability}</p>}
        <dl ref={list} tabIndex={-1} className={styles.fields}>
          {inPageOrder(columns)
            .filter(isShown)
            .map((column) => {
              const ofField = all.filter(({ field }) => field === column.id);
              const custom = options?.customFields.find(({ key }) => key === column.id);
              const address = custom?.type === 'link' ? safeAddress(column.get(row)) : null;
              const target =
                address === null ? column.link?.(row) : { href: address, label: texts.openAddress(address) };
              const link = target && (
                <ActionIcon
                  component="a"
                  href={target.href}
                  aria-label={target.label}
                  {...(address !== null && { target: '_blank', rel: 'noopener noreferrer' })}
                >
                  {address === null ? <Phone /> : <ExternalLink />}
                </ActionIcon>
              );
              const text = detailText(row, column) ?? displayText(column, row, timeZone);
              return (
                <div
                  key={column.id}
                  data-wide={
                    ofField.length > 0 || column.type === 'multiline' || column.id === 'items' || undefined
                  }
                >
                  <dt>
                    {column.header}
                    {required.has(column.id) && <span aria-hidden> *</span>}
                  </dt>
                  <dd>
                    {isOpen(column) ? (
                      <FieldValue row={row} column={column} editing={editing} text={text}>
                        {link}
                      </FieldValue>
                    ) : (
                      <div className="ui-line ui-gap-1">
                        <span className={styles.text}>{text || texts.none}</span>
                        {link}
                      </div>
                    )}
                    {custom?.help && <p className="ui-sub">{custom.help}</p>}
                    <ContactNote id={column.id} row={row} />
                    {decisions(ofField)}
                  </dd>
                </div>
              );
            })}
          {all
            .filter(({ field }) => !places.has(field))
            .map((decision) => (
              <FieldWithoutColumn key={`${decision.field} ${decision.reason.kind}`} decision={decision}>
                {decisions([decision])}
              </FieldWithoutColumn>
            ))}
        </dl>
      </Card>
      <div tabIndex={-1} data-files className={styles.files}>
        <Card title={fileTexts.title}>
          <DealFiles dealId={dealId} ability={editAbility(deal)} />
        </Card>
      </div>
      <Duplicates row={row} deal={deal} />
    </div>
  );
}

type FieldDecisionProps = {
  decision: Decision;
  row: DealRow;
  /** Whether Alt+M and Alt+T apply to it. */
  hasKeys: boolean;
  /** Called with the field when its buttons get the focus, and with null when they lose it. */
  onFocused: (field: DealField | null) => void;
  onDecided: () => void;
};

/** Shows below a value why it is not saved, with buttons for the decision. */
function FieldDecision({ decision, row, hasKeys, onFocused, onDecided }: FieldDecisionProps): ReactNode {
  const timeZone = useTimeZone();
  const { field, reason } = decision;
  const { column, name, mine } = useDecisionParts(decision);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the events of its buttons
    <div role="group" aria-label={name} onFocus={() => onFocused(field)} onBlur={() => onFocused(null)}>
      <p className="ui-sub ui-danger">
        {reason.kind === 'conflict' ? (
          <>
            <span role="alert">
              {column
                ? describeUnsent(column, row, field, timeZone)
                : noticeTexts.conflictElsewhere(reason.by, name)}
            </span>
            <span className={styles.keys} data-works={hasKeys}>
              {common.decideKeys}
            </span>
          </>
        ) : (
          <span role="alert">
            {/* The value above is the saved one. */}
            <strong>{noticeTexts.refused(name, reason.kind === 'unread' && column ? mine : '')}</strong>{' '}
            {reason.message}
            {reason.kind === 'unread' &&
              column &&
              ` ${describeNewerValue(column, row.deal, field, reason.refusal, timeZone)}`}
          </span>
        )}
      </p>
      <div className="ui-row ui-mt-2">
        <DecisionButtons decision={decision} row={row} onDecided={onDecided} />
      </div>
    </div>
  );
}

/** Shows that the value above is on the Do not contact list, and why. */
function ContactNote({ id, row }: { id: string; row: DealRow }): ReactNode {
  const timeZone = useTimeZone();
  const find = useStore(findContact);
  const entry = id === 'customerNumber' || id === 'customerEmail' ? find(valueOf(row, id)) : undefined;
  return entry && <p className="ui-sub ui-danger">{describeContact(entry, timeZone)}</p>;
}

/** A value that was typed into a field that is now hidden from the user. */
function FieldWithoutColumn({ decision, children }: { decision: Decision; children: ReactNode }): ReactNode {
  const { name, mine } = useDecisionParts(decision);
  return (
    <div data-wide>
      <dt>{name}</dt>
      <dd>
        {mine || texts.none}
        {children}
      </dd>
    </div>
  );
}

/** Returns the full text of a field that the table shortens; undefined for other fields and empty values. */
function detailText(row: DealRow, { id, type, get }: GridColumn<DealRow>): string | undefined {
  if (type === 'multiline') return String(get(row) ?? '') || undefined;
  const value = id === 'items' ? valueOf(row, 'items') : null;
  if (value === null) return undefined;
  // An unsaved item may have no price.
  const priced = linesOf(value).flatMap((line) =>
    line.unitPrice === null ? [] : formatPricedItems([{ ...line, unitPrice: line.unitPrice }]),
  );
  return priced.length === linesOf(value).length ? priced.join('\n') : formatItems(value);
}
