import type { MergeMessage, MergePer } from '@forecourt/contract/email-sending';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/email-merge.ts';
import { texts as sending } from '../../texts/email-sending.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

type MergedDeals = MergeMessage['deals'];

const nameOf = ({ customerName }: MergedDeals[number]): string => customerName ?? texts.unnamed;
export const namesOf = (deals: MergedDeals): string => deals.map(nameOf).join(', ');

/** Returns the deals of a message that were emailed before. */
export const earlierIn = ({ deals }: MergeMessage) => deals.filter(({ earlier }) => earlier !== null);

const customer: DataColumn<MergeMessage> = {
  id: 'customer',
  header: texts.customer,
  render: ({ deals }) => namesOf(deals),
};
const dealership: DataColumn<MergeMessage> = {
  id: 'dealership',
  header: texts.dealership,
  render: ({ dealershipName }) => dealershipName,
};
const deals: DataColumn<MergeMessage> = {
  id: 'deals',
  header: texts.deals,
  render: (message) => (
    <>
      {texts.count(message.deals.length)}
      <p className="ui-quiet ui-mt-1">{namesOf(message.deals)}</p>
    </>
  ),
};
const fate: readonly DataColumn<MergeMessage>[] = [
  { id: 'template', header: texts.template, render: ({ templateName }) => templateName, wideOnly: true },
  {
    id: 'to',
    header: texts.to,
    render: ({ to, cc }) => [...to, ...cc].join(', ') || texts.nobody,
    wideOnly: true,
  },
  { id: 'state', header: texts.state, width: '280px', render: (message) => <State message={message} /> },
];

/** One row per message: by deal, or by dealership with its deals. */
export const columnsPer: Readonly<Record<MergePer, readonly DataColumn<MergeMessage>[]>> = {
  deal: [customer, dealership, ...fate],
  dealership: [dealership, deals, ...fate],
};

function State({ message }: { message: MergeMessage }): ReactNode {
  const { problems, emptyVariables } = message;
  if (problems.length > 0) {
    return (
      <>
        <StatusBadge tone="danger">{texts.notReady}</StatusBadge>
        <p className="ui-quiet ui-mt-1">{problems.join(' ')}</p>
      </>
    );
  }
  return (
    <>
      <Readiness message={message} />
      {emptyVariables.length > 0 && <p className="ui-quiet ui-mt-1">{sending.staysBlank(emptyVariables)}</p>}
    </>
  );
}

function Readiness({ message }: { message: MergeMessage }): ReactNode {
  const before = earlierIn(message);
  const [first] = before;
  if (!first?.earlier) return <StatusBadge tone="good">{texts.ready}</StatusBadge>;
  const { senderName, sentAt, createdAt } = first.earlier;
  return (
    <>
      <StatusBadge tone="warn">
        {texts.sentBefore(senderName, formatDateTime(sentAt ?? createdAt))}
      </StatusBadge>
      {message.deals.length > 1 && (
        <p className="ui-quiet ui-mt-1">{texts.amongThem(before.length, namesOf(before))}</p>
      )}
    </>
  );
}
