import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import './styles-dialog.ts';
import { dialogSizes, type DialogSize } from './dialog-sizes.ts';
import { FirstFocus } from './FirstFocus.tsx';
import { useFocusBack } from './use-focus-back.ts';

/** Only the first press of a held Enter counts: its repetitions would press a button of the next dialog. */
function ignoreRepeatedEnter(event: KeyboardEvent): void {
  const isPress = event.key === 'Enter' && event.repeat && event.target instanceof Element;
  if (isPress && (event.target as Element).matches('button, a, input')) event.preventDefault();
}

type DialogProps = Omit<ModalProps, 'opened' | 'size'> & { size: DialogSize };

/** Opens when it is mounted; `onClose` must unmount it. */
export function Dialog({ size, children, ...rest }: DialogProps): ReactNode {
  useFocusBack();
  // Never removed: the key may be held longer than the dialog is open.
  useEffect(() => document.addEventListener('keydown', ignoreRepeatedEnter), []);
  return (
    <Modal {...rest} opened size={dialogSizes[size]}>
      <FirstFocus>{children}</FirstFocus>
    </Modal>
  );
}
