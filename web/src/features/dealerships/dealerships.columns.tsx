import type { Dealership } from '@forecourt/contract/dealerships';
import type { EmailTemplateSummary } from '@forecourt/contract/email-templates';
import type { ReactNode } from 'react';
import { texts } from '../../texts/dealerships.ts';
import { texts as sharing } from '../../texts/sharing.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { SharedWith } from '../../ui/sharing/SharedWith.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { commissionType } from './commission-type.ts';
import { shareLevels } from './dealership-shares.ts';

/** The columns of the dealerships (docs/product/dealerships.md, Dealership Settings screen), with the commission type. */
export const dealershipColumns = (
  templateOf: (id: string | null) => Pick<EmailTemplateSummary, 'name' | 'status'> | undefined,
  /** For administrators, who alone see the shares. */
  onShare: ((dealership: Dealership) => void) | undefined,
): readonly DataColumn<Dealership>[] => [
  {
    id: 'name',
    header: texts.name,
    width: '220px',
    sortBy: ({ name }) => name,
    filterBy: { kind: 'text', of: ({ name }) => name },
    render: ({ name }) => (
      <div className="ui-stack ui-gap-0">
        <span className="ui-strong">{name}</span>
        <span className="ui-quiet">{texts.commission[commissionType(name)]}</span>
      </div>
    ),
  },
  {
    id: 'address',
    header: texts.address,
    sortBy: ({ address }) => address,
    filterBy: { kind: 'text', of: ({ address }) => address },
    render: ({ address }) => address,
    wideOnly: true,
  },
  {
    id: 'template',
    header: texts.defaultTemplate,
    sortBy: ({ defaultEmailTemplateId }) => templateOf(defaultEmailTemplateId)?.name ?? null,
    filterBy: {
      kind: 'choice',
      of: ({ defaultEmailTemplateId }) => templateOf(defaultEmailTemplateId)?.name ?? null,
    },
    render: ({ defaultEmailTemplateId }) => <DefaultTemplate template={templateOf(defaultEmailTemplateId)} />,
    wideOnly: true,
  },
  {
    id: 'contacts',
    header: texts.contacts,
    width: '110px',
    sortBy: ({ contacts }) => contacts.length,
    filterBy: { kind: 'number', of: ({ contacts }) => contacts.length },
    render: ({ contacts }) => texts.contactCount(contacts.length),
    wideOnly: true,
  },
  ...(onShare === undefined ? [] : [sharedWithColumn(onShare)]),
  {
    id: 'status',
    header: texts.status,
    width: '100px',
    sortBy: ({ active }) => Number(!active),
    filterBy: { kind: 'choice', of: ({ active }) => (active ? texts.active : texts.inactive) },
    render: ({ active }) => (
      <StatusBadge tone={active ? 'good' : 'neutral'}>{active ? texts.active : texts.inactive}</StatusBadge>
    ),
  },
];

function DefaultTemplate({
  template,
}: {
  template: Pick<EmailTemplateSummary, 'name' | 'status'> | undefined;
}): ReactNode {
  if (!template) return <span className="ui-quiet">{texts.noTemplate}</span>;
  return (
    <div className="ui-stack ui-gap-0">
      <span>{template.name}</span>
      {template.status === 'draft' && <StatusBadge tone="warn">{texts.draftNote}</StatusBadge>}
    </div>
  );
}

const sharedWithColumn = (onShare: (dealership: Dealership) => void): DataColumn<Dealership> => ({
  id: 'sharedWith',
  header: sharing.sharedWith,
  width: '130px',
  sortBy: ({ sharedWith }) => sharedWith.length,
  filterBy: { kind: 'choice', of: ({ sharedWith }) => sharedWith.map(({ user }) => user?.name ?? '') },
  render: (dealership) => (
    <SharedWith shares={dealership.sharedWith} levels={shareLevels} onOpen={() => onShare(dealership)} />
  ),
  wideOnly: true,
});
