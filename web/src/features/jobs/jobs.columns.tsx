import type { FailedJob, JobSummary, QueueCounts, RecurringJob } from '@forecourt/contract/jobs';
import { Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import type { ReactNode } from 'react';
import { formatCount, formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/jobs.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { StatusBadge, type BadgeTone } from '../../ui/StatusBadge.tsx';
import { timeColumn } from '../../ui/table/columns.tsx';
import { TimeText } from '../../ui/table/TimeText.tsx';

const tones: Record<RecurringJob['status'] | JobSummary['status'], BadgeTone> = {
  waiting: 'neutral',
  running: 'accent',
  succeeded: 'good',
  failed: 'danger',
  cancelled: 'neutral',
};

export const kindOf = ({ kind }: Pick<JobSummary, 'kind'>): string => texts.kinds[kind] ?? kind;

function JobState({ job }: { job: JobSummary }): ReactNode {
  const { status, step, percent, done, total, message, finishedAt } = job;
  if (status !== 'running')
    return (
      <span className="ui-stack ui-gap-1 ui-top ui-anywhere">
        <span className="ui-row">
          <StatusBadge tone={tones[status]}>{texts.statuses[status]}</StatusBadge>
          {status === 'cancelled' && <span className="ui-quiet">{formatDateTime(finishedAt!)}</span>}
        </span>
        {message !== null && <span className="ui-quiet">{message}</span>}
      </span>
    );
  const count = done === null || total === null ? null : texts.countOf(done, total);
  return (
    <span className="ui-stack ui-gap-1 ui-top ui-anywhere">
      <StatusBadge tone="accent">{texts.statuses.running}</StatusBadge>
      {percent !== null && (
        <span className="ui-row">
          <Progress w={160} value={percent} aria-label={texts.progressOf(kindOf(job))} size="sm" />
          <span className="ui-quiet">{texts.percent(percent)}</span>
        </span>
      )}
      <span className="ui-quiet">{[texts.steps[step] ?? step, count].filter(Boolean).join(' · ')}</span>
    </span>
  );
}

export const startedBy = ({ startedByName }: JobSummary): string => startedByName ?? texts.program;

/** Running jobs first, then the newest finished ones. */
export const jobColumns: readonly DataColumn<JobSummary>[] = [
  {
    id: 'what',
    header: texts.what,
    filterBy: { kind: 'choice', of: kindOf },
    render: (job) => (
      <span className="ui-stack ui-gap-1 ui-top ui-anywhere">
        <span className="ui-strong">{kindOf(job)}</span>
        <span className="ui-sub ui-phone-only">
          {startedBy(job)} · {formatDateTime(job.createdAt)}
        </span>
        <span className="ui-sub ui-phone-only">
          <JobState job={job} />
        </span>
      </span>
    ),
  },
  {
    id: 'state',
    header: texts.state,
    width: '340px',
    filterBy: { kind: 'choice', of: ({ status }) => texts.statuses[status] },
    render: (job) => <JobState job={job} />,
    wideOnly: true,
  },
  { id: 'who', header: texts.who, width: '170px', render: startedBy, wideOnly: true },
  timeColumn({ id: 'started', header: texts.started, of: ({ createdAt }) => createdAt, isSorted: false }),
];

export const nameOf = ({ name }: RecurringJob): string => texts.recurring[name].name;
const nextRunOf = ({ nextRunAt }: RecurringJob): string =>
  nextRunAt === null ? texts.off : formatDateTime(nextRunAt);

function LastRun({ job: { status, lastRunAt, message } }: { job: RecurringJob }): ReactNode {
  return (
    <span className="ui-stack ui-gap-1 ui-top ui-anywhere">
      <span className="ui-row">
        <StatusBadge tone={tones[status]}>{texts.recurringStatuses[status]}</StatusBadge>
        {lastRunAt !== null && <span className="ui-quiet">{formatDateTime(lastRunAt)}</span>}
      </span>
      {message !== null && <span className="ui-quiet">{message}</span>}
    </span>
  );
}

export const recurringColumns: readonly DataColumn<RecurringJob>[] = [
  {
    id: 'what',
    header: texts.what,
    render: (job) => (
      <span className="ui-stack ui-gap-1 ui-top ui-anywhere">
        <span className="ui-strong">{nameOf(job)}</span>
        <span className="ui-quiet">{texts.recurring[job.name].what}</span>
        <span className="ui-sub ui-phone-only">
          <LastRun job={job} />
        </span>
        <span className="ui-sub ui-phone-only">
          {texts.nextRun}: {nextRunOf(job)}
        </span>
      </span>
    ),
  },
  {
    id: 'lastRun',
    header: texts.lastRun,
    width: '340px',
    render: (job) => <LastRun job={job} />,
    wideOnly: true,
  },
  {
    id: 'nextRun',
    header: texts.nextRun,
    width: '170px',
    render: (job) => <TimeText text={nextRunOf(job)} />,
    wideOnly: true,
  },
];

const countColumn = (id: 'waiting' | 'running' | 'failed'): DataColumn<QueueCounts> => ({
  id,
  header: texts[id],
  width: '110px',
  align: 'right',
  render: (queue) => formatCount(queue[id]),
});

export const queueColumns: readonly DataColumn<QueueCounts>[] = [
  { id: 'queue', header: texts.queue, render: ({ name }) => texts.queues[name] },
  countColumn('waiting'),
  countColumn('running'),
  countColumn('failed'),
];

export const failedColumns: readonly DataColumn<FailedJob>[] = [
  {
    id: 'failure',
    header: texts.failure,
    render: ({ queue, message, failedAt }) => (
      <span className="ui-stack ui-gap-1 ui-top ui-anywhere">
        <span className="ui-strong">{texts.queues[queue]}</span>
        <span className="ui-quiet">{message}</span>
        <span className="ui-sub ui-phone-only">{formatDateTime(failedAt)}</span>
      </span>
    ),
  },
  {
    id: 'attempts',
    header: texts.attempts,
    width: '110px',
    align: 'right',
    render: ({ attempts }) => formatCount(attempts),
    wideOnly: true,
  },
  timeColumn({ id: 'failedAt', header: texts.failedAt, of: ({ failedAt }) => failedAt, isSorted: false }),
];
