import { Modal, type ModalProps } from '@mantine/core';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';
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

/** A dialog inside another one calls it when it opens and closes. */
const OuterDialog = createContext<(isOpen: boolean) => void>(() => undefined);

/** Opens when it is mounted; `onClose` must unmount it. Escape closes the innermost dialog only. */
export function Dialog({ size, children, closeOnEscape = true, ...rest }: DialogProps): ReactNode {
  const tellOuter = use(OuterDialog);
  const [hasInner, setHasInner] = useState(false);
  useEffect(() => {
    tellOuter(true);
    return () => tellOuter(false);
  }, [tellOuter]);
  useFocusBack();
  // Never removed: the key may be held longer than the dialog is open.
  useEffect(() => document.addEventListener('keydown', ignoreRepeatedEnter), []);
  return (
    <Modal {...rest} opened size={dialogSizes[size]} closeOnEscape={closeOnEscape && !hasInner}>
      <OuterDialog value={setHasInner}>
        <FirstFocus>{children}</FirstFocus>
      </OuterDialog>
    </Modal>
  );
}
