import type { FailedJob, JobSummary, RecurringJob } from '@forecourt/contract/jobs';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleX from 'lucide-react/icons/circle-x';
import ListChecks from 'lucide-react/icons/list-checks';
import Play from 'lucide-react/icons/play';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { useState, type ReactNode } from 'react';
import { useLiveQuery } from '../../platform/live-events.ts';
import { texts } from '../../texts/jobs.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { Card } from '../../ui/Card.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { toastOutcome } from '../../ui/toasts.ts';
import {
  failedColumns,
  jobColumns,
  kindOf,
  nameOf,
  queueColumns,
  recurringColumns,
  startedBy,
} from './jobs.columns.tsx';
import { jobListQuery, useCancel, useRetry, useRunNow } from './jobs.queries.ts';

export default function JobsScreen(): ReactNode {
  const query = useLiveQuery(jobListQuery, 'job');
  const { data } = query;
  return (
    <Page wide>
      <PageHeader title={texts.title} note={texts.note} />
      <Loaded of={query} message={texts.loadFailed}>
        <div className="ui-stack">
          {data?.outdatedDatabase && <Notice>{texts.outdatedDatabase(data.outdatedDatabase)}</Notice>}
          {data?.space.map((space) => (
            <Notice key={texts.space(space)}>{texts.space(space)}</Notice>
          ))}
          <Card title={texts.jobs}>
            <StartedWork rows={data?.jobs} />
          </Card>
          <Card title={texts.recurringTitle}>
            <RecurringWork rows={data?.recurring} />
          </Card>
          <Card title={texts.queuesTitle}>
            <DataTable
              label={texts.queuesTitle}
              name="job-queues"
              columns={queueColumns}
              rows={data?.queues}
              rowKey={({ name }) => name}
              rowLabel={({ name }) => texts.queues[name]}
              empty={<EmptyState title={texts.noQueues} />}
            />
            <h3 className="ui-mt-4 ui-mb-2">{texts.failedTitle}</h3>
            <FailedJobs rows={data?.failed} />
          </Card>
        </div>
      </Loaded>
    </Page>
  );
}

function StartedWork({ rows }: { rows: readonly JobSummary[] | undefined }): ReactNode {
  const [cancelling, setCancelling] = useState<JobSummary | null>(null);
  const { mutateAsync } = useCancel();
  return (
    <>
      <DataTable
        label={texts.jobs}
        name="jobs"
        columns={jobColumns}
        rows={rows}
        rowKey={({ _id }) => _id}
        rowLabel={kindOf}
        empty={
          <EmptyState icon={<ListChecks />} title={texts.empty}>
            {texts.emptyNext}
          </EmptyState>
        }
        actions={(job) =>
          job.canCancel && (
            <IconAction
              label={texts.cancel(kindOf(job), startedBy(job))}
              icon={CircleX}
              onClick={() => setCancelling(job)}
            />
          )
        }
      />
      {cancelling && (
        <ConfirmDialog
          title={texts.cancelTitle(kindOf(cancelling))}
          confirmLabel={texts.cancelSubmit}
          closeLabel={texts.cancelNot}
          failed={texts.cancelFailed}
          destructive
          done={texts.cancelled(kindOf(cancelling))}
          onConfirm={() => mutateAsync(cancelling._id)}
          onClose={() => setCancelling(null)}
        >
          {texts.cancelWhat[cancelling.kind]}
          {cancelling.startedByName !== null && ` ${texts.cancelWho(cancelling.startedByName)}`}
        </ConfirmDialog>
      )}
    </>
  );
}

function RecurringWork({ rows }: { rows: readonly RecurringJob[] | undefined }): ReactNode {
  const { mutateAsync } = useRunNow();
  const run = (job: RecurringJob): void =>
    toastOutcome(mutateAsync(job.name), texts.begun(nameOf(job)), texts.runFailed);
  return (
    <DataTable
      label={texts.recurringTitle}
      name="recurring-jobs"
      columns={recurringColumns}
      rows={rows}
      rowKey={({ name }) => name}
      rowLabel={nameOf}
      empty={<EmptyState title={texts.noRecurring} />}
      actions={(job) =>
        job.status === 'running' ? null : (
          <IconAction
            label={(job.status === 'failed' ? texts.runAgain : texts.run)(nameOf(job))}
            icon={job.status === 'failed' ? RotateCw : Play}
            onClick={() => run(job)}
          />
        )
      }
    />
  );
}

function FailedJobs({ rows }: { rows: readonly FailedJob[] | undefined }): ReactNode {
  const { mutateAsync } = useRetry();
  const retry = ({ _id }: FailedJob): void =>
    toastOutcome(mutateAsync(_id), texts.retried, texts.retryFailed);
  return (
    <DataTable
      label={texts.failedTitle}
      name="failed-jobs"
      columns={failedColumns}
      rows={rows}
      rowKey={({ _id }) => _id}
      rowLabel={({ queue }) => texts.queues[queue]}
      empty={
        <EmptyState icon={<CircleCheck />} title={texts.noFailed}>
          {texts.noFailedNext}
        </EmptyState>
      }
      actions={(job) => (
        <IconAction label={texts.retry(texts.queues[job.queue])} icon={RotateCw} onClick={() => retry(job)} />
      )}
    />
  );
}
