import type { Dealership } from '@forecourt/contract/dealerships';
import { formatPlural } from '../../platform/formats.ts';
import { texts } from '../../texts/dealerships.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { commissionType } from './commission-type.ts';
import styles from './DealershipsScreen.module.css';

/** The table of spec section 2, with the commission type that a name gives under it. */
export const dealershipColumns = (
  templateName: (id: string | null) => string | null,
): readonly DataColumn<Dealership>[] => [
  {
    id: 'name',
    header: texts.name,
    sortBy: ({ name }) => name,
    render: ({ name }) => (
      <div className={styles.name}>
        <span className={styles.strong}>{name}</span>
        <span className={styles.quiet}>{texts.commission[commissionType(name)]}</span>
      </div>
    ),
  },
  {
    id: 'address',
    header: texts.address,
    sortBy: ({ address }) => address,
    render: ({ address }) => address,
    wideOnly: true,
  },
  {
    id: 'template',
    header: texts.defaultTemplate,
    sortBy: ({ defaultEmailTemplateId }) => templateName(defaultEmailTemplateId),
    render: ({ defaultEmailTemplateId }) =>
      templateName(defaultEmailTemplateId) ?? <span className={styles.quiet}>{texts.noTemplate}</span>,
    wideOnly: true,
  },
  {
    id: 'contacts',
    header: texts.contacts,
    width: '110px',
    sortBy: ({ contacts }) => contacts.length,
    render: ({ contacts }) => formatPlural(contacts.length, 'contact'),
    wideOnly: true,
  },
  {
    id: 'status',
    header: texts.status,
    width: '100px',
    sortBy: ({ active }) => Number(!active),
    render: ({ active }) => (
      <StatusBadge tone={active ? 'good' : 'neutral'}>{active ? texts.active : texts.inactive}</StatusBadge>
    ),
  },
];
