import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { LucideProvider } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import { comingLater, useFirstScreenStands } from '../platform/coming-later.ts';
import { queryClient } from '../platform/query-client.ts';
import { cssVariables, storedColorScheme, theme } from './theme.ts';

const Toasts = comingLater(() => import('./Toasts.tsx'));
const colorScheme = storedColorScheme();

/** What every screen may rely on: look, server data, toasts, one size and stroke for all icons. */
export function Providers({ children }: { children: ReactNode }): ReactNode {
  const stands = useFirstScreenStands();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <LucideProvider size={16} strokeWidth={1.75}>
          <Suspense>{stands && <Toasts />}</Suspense>
          {children}
        </LucideProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
