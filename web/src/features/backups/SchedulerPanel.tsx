import { useQuery } from '@tanstack/react-query';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useId, useState, type ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { backupAlertText } from '../../texts/backup-alerts.ts';
import { texts } from '../../texts/backups.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { toastOutcome } from '../../ui/toasts.ts';
import { schedulerQuery, useScheduler } from './backups.queries.ts';
import styles from './SchedulerPanel.module.css';

const toasts = {
  start: [texts.started, texts.startFailed],
  stop: [texts.stopped, texts.stopFailed],
  trigger: [texts.triggered, texts.triggerFailed],
} as const;

export function SchedulerPanel(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const query = useQuery(schedulerQuery);
  const { data } = query;
  const { mutateAsync, isPending } = useScheduler();
  const ability = isPending ? texts.schedulerBusy : true;
  const content = useId();

  const run = (what: keyof typeof toasts): void =>
    toastOutcome(mutateAsync(what), toasts[what][0], toasts[what][1]);

  return (
    <section className="ui-card ui-mb-4" aria-label={texts.scheduler}>
      <button
        type="button"
        className={`ui-row ${styles.head}`}
        aria-expanded={isOpen}
        aria-controls={content}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? <ChevronDown /> : <ChevronRight />}
        <span className="ui-strong">{texts.scheduler}</span>
        {data && (
          <>
            <StatusBadge tone={data.isRunning ? 'good' : 'warn'}>
              {data.isRunning ? texts.active : texts.inactive}
            </StatusBadge>
            <span className="ui-quiet ui-push">
              {data.nextRun === null ? '' : `${texts.nextRun}: ${formatDateTime(data.nextRun)}`}
            </span>
          </>
        )}
      </button>
      {data?.alerts.map(backupAlertText).map((text) => (
        <FormMessage key={text} text={text} />
      ))}
      <div id={content} className={styles.content} hidden={!isOpen}>
        <Loaded of={query} message={texts.statusFailed} />
        {data && (
          <>
            <p className="ui-muted ui-mb-3">{texts.schedulerNote}</p>
            <dl className="ui-facts ui-mb-3">
              <dt>{texts.nextRun}</dt>
              <dd>{data.nextRun === null ? texts.noRun : formatDateTime(data.nextRun)}</dd>
              <dt>{texts.activeTasks}</dt>
              <dd>{data.activeTasks.join(', ') || texts.noTasks}</dd>
            </dl>
            <div className="ui-row">
              <ActionButton
                variant="default"
                ability={data.isRunning ? texts.isStarted : ability}
                onClick={() => run('start')}
              >
                {texts.startScheduler}
              </ActionButton>
              <ActionButton
                variant="default"
                ability={data.isRunning ? ability : texts.isStopped}
                onClick={() => run('stop')}
              >
                {texts.stopScheduler}
              </ActionButton>
              <ActionButton variant="default" ability={ability} onClick={() => run('trigger')}>
                {texts.trigger}
              </ActionButton>
            </div>
          </>
        )}
      </div>
    </section>
  );
}
