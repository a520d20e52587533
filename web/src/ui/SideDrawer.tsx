import { Drawer } from '@mantine/core';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import type { ReactNode } from 'react';
import { FirstFocus } from './FirstFocus.tsx';
import { useFocusBack } from './use-focus-back.ts';

type SideDrawerProps = {
  title: string;
  /** In px; at most the width of the screen. */
  width: number;
  onClose: () => void;
  children: ReactNode;
};

/** A panel at the right of the screen, for details without leaving the list. */
export function SideDrawer({ title, width, onClose, children }: SideDrawerProps): ReactNode {
  useFocusBack();
  return (
    <Drawer
      opened
      title={title}
      position="right"
      size={`min(${width}px, 100vw)`}
      overlayProps={{ color: 'var(--overlay)', backgroundOpacity: 1 }}
      onClose={onClose}
    >
      <FirstFocus>{children}</FirstFocus>
    </Drawer>
  );
}
