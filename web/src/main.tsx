import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import './ui/styles-base.ts';
import './app/tokens.css';
import './app/base.css';
import { LucideProvider } from 'lucide-react';
import { StrictMode, Suspense, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { screenAt, startNavigation } from './app/navigation.ts';
import { router } from './app/router.tsx';
import { cssVariables, storedColorScheme, theme } from './app/theme.ts';
import { logUncaughtErrors } from './platform/client-log.ts';
import { limitFirstScreenWait, lazyAfterFirstPaint, useFirstScreenReady } from './platform/first-screen.ts';
import { startLiveEvents } from './platform/live-events.ts';
import { dropPrefetched } from './platform/prefetched-responses.ts';
import { queryClient } from './platform/query-client.ts';
import { currentSession, followOtherTabs, initialise } from './platform/session.ts';
import { keepFocus } from './ui/keep-focus.ts';

logUncaughtErrors();
limitFirstScreenWait();
startNavigation();
followOtherTabs();
keepFocus();
void initialise();
// Loads the scripts of the first screen while the request for the user is in flight.
if (currentSession().authenticated) {
  const ignore = (): void => undefined;
  import('./app/Shell.tsx').catch(ignore);
  screenAt(window.location.pathname)?.load().catch(ignore);
}
dropPrefetched();
// The font is loaded before any text is rendered, because text would be laid out again with it.
document.fonts.load('13px Inter').catch(() => undefined);
startLiveEvents();

const container = document.getElementById('root');
if (container === null) throw new Error('index.html has no #root');
createRoot(container).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);

const Overlays = lazyAfterFirstPaint(() => import('./app/Overlays.tsx'));
const colorScheme = storedColorScheme();

function Providers({ children }: { children: ReactNode }): ReactNode {
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
          <Suspense>{isFirstScreenReady && <Overlays />}</Suspense>
          {children}
        </LucideProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
