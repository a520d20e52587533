import type { SshSettings } from '@forecourt/contract/backups';
import { Loader, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import '../../ui/styles-dialog.ts';
import { texts } from '../../texts/backup-ssh.ts';
import { dialogSizes } from '../../ui/dialog-sizes.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { sshSettingsQuery } from './backups.queries.ts';
import { SshSettingsForm } from './SshSettingsForm.tsx';

/** The server for copies of backups (docs/product/backups.md, SSH settings). */
export function SshSettingsModal({ onClose }: { onClose: () => void }): ReactNode {
  const query = useQuery(sshSettingsQuery);
  const { data, isFetchedAfterMount } = query;
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
      <Loaded of={query} message={texts.loadFailed}>
        <Loader size={16} />
      </Loaded>
    </Modal>
  );
}
