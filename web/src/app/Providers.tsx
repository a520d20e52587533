import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { LucideProvider } from 'lucide-react';
import type { ReactNode } from 'react';
import { queryClient } from '../platform/query-client.ts';
import { cssVariables, storedColorScheme, theme } from './theme.ts';

const colorScheme = storedColorScheme();

/** What every screen may rely on: look, server data, toasts, one size and stroke for all icons. */
export function Providers({ children }: { children: ReactNode }): ReactNode {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <LucideProvider size={16} strokeWidth={1.75}>
          <Notifications position="bottom-right" limit={4} />
          {children}
        </LucideProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
