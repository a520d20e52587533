import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLiveQuery } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { backupAlertText } from '../../texts/backup-alerts.ts';
import { texts } from '../../texts/dashboard.ts';
import { Notice } from '../../ui/Notice.tsx';
import { backupAlertsQuery } from './dashboard.queries.ts';

/** What is wrong with backups, for administrators. */
export function BackupAlerts(): ReactNode {
  const { data } = useLiveQuery(backupAlertsQuery, 'backup');
  return data?.alerts.map(backupAlertText).map((text) => (
    <div key={text} className="ui-mb-4">
      <Notice action={<Link to={paths.backups}>{texts.openBackups}</Link>}>{text}</Notice>
    </div>
  ));
}
