import type { EmailTemplateSummary } from '@forecourt/contract/email-templates';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatDateTime } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/email-templates.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

export const templateColumns: readonly DataColumn<EmailTemplateSummary>[] = [
  {
    id: 'name',
    header: texts.name,
    sortBy: ({ name }) => name,
    render: ({ _id, name }) => (
      <Anchor component={Link} to={paths.editTemplate(_id)} fw={550} inherit>
        {name}
      </Anchor>
    ),
  },
  {
    id: 'subject',
    header: texts.subject,
    sortBy: ({ subject }) => subject,
    render: ({ subject }) => subject,
    wideOnly: true,
  },
  {
    id: 'status',
    header: texts.status,
    width: '100px',
    sortBy: ({ status }) => status,
    render: ({ status }) => (
      <StatusBadge tone={status === 'active' ? 'good' : 'neutral'}>{texts.statusLabels[status]}</StatusBadge>
    ),
  },
  {
    id: 'updated',
    header: texts.updated,
    width: '170px',
    sortBy: ({ updatedAt }) => updatedAt,
    render: ({ updatedAt }) => formatDateTime(updatedAt),
    wideOnly: true,
  },
];
