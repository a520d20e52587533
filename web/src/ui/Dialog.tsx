import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import './styles-dialog.ts';
import { FirstFocus } from './FirstFocus.tsx';
import { useFocusBack } from './use-focus-back.ts';

/** A dialog. Mount it to open it, and unmount it in `onClose`. */
export function Dialog({ children, ...rest }: Omit<ModalProps, 'opened'>): ReactNode {
  useFocusBack();
  return (
    <Modal {...rest} opened>
      <FirstFocus>{children}</FirstFocus>
    </Modal>
  );
}
