import type { Export } from '@forecourt/contract/exports';
import { Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import type { ReactNode } from 'react';
import { formatCount, formatDateTime, formatSize } from '../../platform/formats.ts';
import { texts } from '../../texts/exports.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { StatusBadge, type BadgeTone } from '../../ui/StatusBadge.tsx';
import styles from './ExportsScreen.module.css';

const tones: Record<Export['state'], BadgeTone> = { running: 'accent', ready: 'good', failed: 'danger' };

/** Returns the filters of an export as text. */
function narrowedTo({ filter }: Export): string {
  const parts = Object.entries(filter).map(([name, value]) => {
    const label = texts.filters[name] ?? name;
    if (name === 'rows') return `${formatCount(Number(value))} ${label}`;
    const isId = /Id$|^owner$/.test(name);
    return isId ? label : `${label} ${name === 'from' || name === 'to' ? String(value).slice(0, 10) : value}`;
  });
  return parts.join(' · ') || texts.all;
}

function State({ item }: { item: Export }): ReactNode {
  const { state, name, percent, message, expiresAt } = item;
  if (state === 'running')
    return (
      <span className={styles.progress}>
        <Progress value={percent ?? 0} aria-label={texts.progressOf(name)} size="sm" />
        <span className="ui-quiet">{texts.percent(percent)}</span>
      </span>
    );
  return (
    <span className="ui-stack ui-gap-1 ui-top ui-anywhere">
      <StatusBadge tone={tones[state]}>{texts.states[state]}</StatusBadge>
      <span className="ui-quiet">
        {state === 'failed' ? message : texts.until(formatDateTime(expiresAt))}
      </span>
    </span>
  );
}

/** The exports in the order of the server: newest first. */
export const exportColumns: readonly DataColumn<Export>[] = [
  {
    id: 'what',
    header: texts.what,
    render: (item) => (
      <span className="ui-stack ui-gap-1 ui-top ui-anywhere">
        <span className="ui-strong">{item.name}</span>
        <span className="ui-quiet">{narrowedTo(item)}</span>
        <span className="ui-fill ui-phone-only">
          <State item={item} />
        </span>
      </span>
    ),
  },
  {
    id: 'state',
    header: texts.state,
    width: '220px',
    render: (item) => <State item={item} />,
    wideOnly: true,
  },
  {
    id: 'rows',
    header: texts.rows,
    width: '100px',
    align: 'right',
    render: ({ rows }) => formatCount(rows),
    wideOnly: true,
  },
  {
    id: 'size',
    header: texts.size,
    width: '100px',
    align: 'right',
    render: ({ size }) => formatSize(size),
    wideOnly: true,
  },
  {
    id: 'who',
    header: texts.who,
    width: '150px',
    render: ({ createdByName }) => createdByName,
    wideOnly: true,
  },
  {
    id: 'when',
    header: texts.when,
    width: '160px',
    render: ({ createdAt }) => <span className="ui-nowrap">{formatDateTime(createdAt)}</span>,
    wideOnly: true,
  },
];
