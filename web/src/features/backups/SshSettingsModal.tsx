import type { SshSettings } from '@forecourt/contract/backups';
import { Loader, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import '../../ui/styles-dialog.ts';
import { texts } from '../../texts/backup-ssh.ts';
import { dialogSizes } from '../../ui/dialog-sizes.ts';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { sshSettingsQuery } from './backups.queries.ts';
import { SshSettingsForm } from './SshSettingsForm.tsx';

/** Where copies of backups go (spec sections 2 and 5). */
export function SshSettingsModal({ onClose }: { onClose: () => void }): ReactNode {
  const { data, error, refetch, isFetchedAfterMount } = useQuery(sshSettingsQuery);
  const settings: SshSettings | undefined = isFetchedAfterMount ? data : undefined;
  if (settings) return <SshSettingsForm settings={settings} onClose={onClose} />;
  return (
    <Modal
      opened
      title={texts.title}
      size={dialogSizes.lg}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {error ? (
        <LoadFailed error={error} message={texts.loadFailed} retry={() => void refetch()} />
      ) : (
        <Loader size={16} />
      )}
    </Modal>
  );
}
