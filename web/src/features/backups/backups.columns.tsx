import type { Backup } from '@forecourt/contract/backups';
import type { ReactNode } from 'react';
import { formatDateTime, formatSize } from '../../platform/formats.ts';
import { texts } from '../../texts/backups.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { StatusBadge, type BadgeTone } from '../../ui/StatusBadge.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';

const typeOf = ({ type }: Backup): string => texts.types[type];

/** The columns of the backups. On a phone size and time are below the name. */
export const backupColumns: readonly DataColumn<Backup>[] = [
  {
    id: 'name',
    header: texts.name,
    sortBy: ({ name }) => name,
    filterBy: { kind: 'text', of: ({ name }) => name },
    render: (backup) => (
      <div className="ui-stack ui-gap-1 ui-top">
        <span className="ui-strong ui-anywhere">{backup.name}</span>
        <span className="ui-row ui-gap-1">
          <StatusBadge tone={backup.type === 'manual' ? 'neutral' : 'accent'}>{typeOf(backup)}</StatusBadge>
          {backup.signature === 'foreign' && <StatusBadge tone="warn">{texts.foreign}</StatusBadge>}
        </span>
        <span className="ui-sub ui-phone-only">{`${formatSize(backup.size)} · ${formatDateTime(backup.createdAt)}`}</span>
        <span className="ui-sub ui-phone-only">
          <Checked backup={backup} />
        </span>
      </div>
    ),
  },
  {
    id: 'size',
    header: texts.size,
    width: '110px',
    align: 'right',
    sortBy: ({ size }) => size,
    render: ({ size, pending }) => (pending ? '' : formatSize(size)),
    wideOnly: true,
  },
  {
    id: 'createdAt',
    header: texts.createdAt,
    width: '180px',
    sortBy: ({ createdAt }) => createdAt,
    render: ({ createdAt }) => formatDateTime(createdAt),
    wideOnly: true,
  },
  {
    id: 'checked',
    header: texts.checked,
    width: '210px',
    render: (backup) => <Checked backup={backup} />,
    wideOnly: true,
  },
];

/** The verification state of a backup, and the location of its copy. */
function Checked({ backup }: { backup: Backup }): ReactNode {
  if (backup.pending) return null;
  return (
    <span className="ui-row ui-gap-1">
      <Trust backup={backup} />
      {backup.remote !== 'none' && (
        <Reason text={backup.remoteProblem} tone={backup.remote === 'failed' ? 'danger' : 'neutral'}>
          {backup.isLocal ? texts.remote[backup.remote] : texts.remoteOnly}
        </Reason>
      )}
    </span>
  );
}

function Trust({ backup: { problem, provenAt, verifiedAt } }: { backup: Backup }): ReactNode {
  if (problem !== null)
    return (
      <Reason text={problem} tone="danger">
        {texts.damaged}
      </Reason>
    );
  if (provenAt !== null)
    return (
      <>
        <Reason text={texts.provenAt(formatDateTime(provenAt))} tone="good">
          {texts.proven}
        </Reason>
        <span className="ui-quiet">{formatDateTime(provenAt)}</span>
      </>
    );
  return verifiedAt === null ? (
    <StatusBadge>{texts.unchecked}</StatusBadge>
  ) : (
    <Reason text={texts.verifiedAt(formatDateTime(verifiedAt))} tone="good">
      {texts.verified}
    </Reason>
  );
}

type ReasonProps = { text: string | null; tone: BadgeTone; children: ReactNode };

/** A badge with a tooltip, focusable by keyboard. */
function Reason({ text, tone, children }: ReasonProps): ReactNode {
  const badge = <StatusBadge tone={tone}>{children}</StatusBadge>;
  if (text === null) return badge;
  return (
    <Tooltip label={text}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the tooltip is the only place of this text */}
      <span tabIndex={0}>{badge}</span>
    </Tooltip>
  );
}
