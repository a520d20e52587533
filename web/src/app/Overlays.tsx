import { RouterContextProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import AdjustmentReason from './AdjustmentReason.tsx';
import { router } from './router.tsx';
import Toasts from './Toasts.tsx';

/** What appears above all screens, and is loaded after the first of them. */
export default function Overlays(): ReactNode {
  return (
    <>
      <Toasts />
      <RouterContextProvider router={router}>
        <AdjustmentReason />
      </RouterContextProvider>
    </>
  );
}
