import type { AuditLogEntry } from '@forecourt/contract/audit';
import { UnstyledButton } from '@mantine/core';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/audit.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { sentenceOf } from './audit-sentences.ts';

/** The log in the order of the server: newest first. `open` shows one entry. */
export const auditColumns = (open: (id: string) => void): readonly DataColumn<AuditLogEntry>[] => [
  {
    id: 'what',
    header: texts.what,
    render: (entry) => (
      <>
        <UnstyledButton
          className="ui-plain"
          aria-label={texts.open(sentenceOf(entry))}
          onClick={() => open(entry._id)}
        >
          {sentenceOf(entry)}
        </UnstyledButton>
        <span className="ui-sub ui-phone-only">{formatDateTime(entry.at)}</span>
      </>
    ),
  },
  {
    id: 'when',
    header: texts.when,
    width: '170px',
    render: ({ at }) => <span className="ui-nowrap">{formatDateTime(at)}</span>,
    wideOnly: true,
  },
  {
    id: 'where',
    header: texts.where,
    width: '150px',
    render: ({ ip }) => <span className="ui-quiet">{ip || texts.nothing}</span>,
    wideOnly: true,
  },
];
