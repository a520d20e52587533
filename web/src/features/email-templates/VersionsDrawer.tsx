import type { EmailTemplate } from '@forecourt/contract/email-templates';
import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/email-templates.ts';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { versionsQuery } from './email-templates.queries.ts';
import styles from './VersionsDrawer.module.css';

type VersionsDrawerProps = { template: EmailTemplate; onClose: () => void };

/** Every save of a template, newest first: when, by whom, and under which name and subject. */
export function VersionsDrawer({ template, onClose }: VersionsDrawerProps): ReactNode {
  const { data, error, refetch } = useQuery(versionsQuery(template._id));
  return (
    <SideDrawer title={texts.versions} width={360} onClose={onClose}>
      {error && <LoadFailed error={error} message={texts.versionsFailed} retry={() => void refetch()} />}
      {!data && !error && <Loader size={20} />}
      <ol className={styles.list}>
        {data?.items.map(({ id, version, createdAt, createdBy, name, subject }) => (
          <li key={id} className={styles.version}>
            <p className={styles.head}>
              <span className={styles.number}>{texts.version(version)}</span>
              {version === template.version && (
                <StatusBadge tone="accent">{texts.currentVersion}</StatusBadge>
              )}
            </p>
            <p className={styles.when}>
              {formatDateTime(createdAt)} {texts.versionBy(createdBy)}
            </p>
            <p className={styles.words}>{name}</p>
            <p className={styles.subject}>{subject}</p>
          </li>
        ))}
      </ol>
    </SideDrawer>
  );
}
