import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import './styles-dialog.ts';
import { dialogSizes, type DialogSize } from './dialog-sizes.ts';
import { FirstFocus } from './FirstFocus.tsx';
import { useFocusBack } from './use-focus-back.ts';

/**
 * A held Enter presses once: its repetitions would press a button of the dialog that follows, or the one that opened
 * the dialog again.
 */
function ignoreRepeatedEnter(event: KeyboardEvent): void {
  const isPress = event.key === 'Enter' && event.repeat && event.target instanceof Element;
  if (isPress && (event.target as Element).matches('button, a, input')) event.preventDefault();
}

type DialogProps = Omit<ModalProps, 'opened' | 'size'> & { size: DialogSize };

/** A dialog. Mount it to open it, and unmount it in `onClose`. */
export function Dialog({ size, children, ...rest }: DialogProps): ReactNode {
  useFocusBack();
  // It stays: the key may be held until after the dialog is closed.
  useEffect(() => document.addEventListener('keydown', ignoreRepeatedEnter), []);
  return (
    <Modal {...rest} opened size={dialogSizes[size]}>
      <FirstFocus>{children}</FirstFocus>
    </Modal>
  );
}
