import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { LucideProvider } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import { lazyAfterFirstPaint, useFirstScreenReady } from '../platform/first-screen.ts';
import { queryClient } from '../platform/query-client.ts';
import { cssVariables, storedColorScheme, theme } from './theme.ts';

const Toasts = lazyAfterFirstPaint(() => import('./Toasts.tsx'));
const colorScheme = storedColorScheme();

/** Context of every screen: theme, query cache, toasts, one size and stroke for all icons. */
export function Providers({ children }: { children: ReactNode }): ReactNode {
  const isFirstScreenReady = useFirstScreenReady();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <LucideProvider size={16} strokeWidth={1.75}>
          <Suspense>{isFirstScreenReady && <Toasts />}</Suspense>
          {children}
        </LucideProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
