import type { EmailTemplateSummary } from '@forecourt/contract/email-templates';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatDateTime } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/email-templates.ts';
import { texts as usage } from '../../texts/template-usage.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

/** The columns of the templates; `uses` returns the number of dealerships, undefined until it is loaded. */
export const templateColumns = (
  uses: (id: string) => number | undefined,
  onUsage: (template: EmailTemplateSummary) => void,
): readonly DataColumn<EmailTemplateSummary>[] => [
  {
    id: 'name',
    header: texts.name,
    sortBy: ({ name }) => name,
    filterBy: { kind: 'text', of: ({ name }) => name },
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
    filterBy: { kind: 'text', of: ({ subject }) => subject },
    render: ({ subject }) => subject,
    wideOnly: true,
  },
  {
    id: 'owner',
    header: texts.owner,
    width: '160px',
    sortBy: ({ ownerName }) => ownerName,
    filterBy: { kind: 'choice', of: ({ ownerName }) => ownerName },
    render: ({ ownerName }) => ownerName,
    wideOnly: true,
  },
  {
    id: 'uses',
    header: usage.usedBy,
    width: '130px',
    sortBy: ({ _id }) => uses(_id) ?? 0,
    filterBy: { kind: 'number', of: ({ _id }) => uses(_id) ?? null },
    render: (template) => {
      const count = uses(template._id);
      return count === undefined ? null : (
        <Anchor
          component="button"
          type="button"
          inherit
          aria-label={usage.usesOf(template.name, count)}
          onClick={() => onUsage(template)}
        >
          {usage.uses(count)}
        </Anchor>
      );
    },
    wideOnly: true,
  },
  {
    id: 'status',
    header: texts.status,
    width: '100px',
    sortBy: ({ status }) => status,
    filterBy: { kind: 'choice', of: ({ status }) => texts.statusLabels[status] },
    render: ({ status }) => (
      <StatusBadge tone={status === 'active' ? 'good' : 'neutral'}>{texts.statusLabels[status]}</StatusBadge>
    ),
  },
  {
    id: 'updated',
    header: texts.updated,
    width: '170px',
    sortBy: ({ updatedAt }) => updatedAt,
    filterBy: { kind: 'date', of: ({ updatedAt }) => updatedAt },
    render: ({ updatedAt }) => formatDateTime(updatedAt),
    wideOnly: true,
  },
];
