import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/styles-base.ts';
import './app/tokens.css';
import './app/base.css';
import { screenAt, startNavigation } from './app/navigation.ts';
import { Providers } from './app/Providers.tsx';
import { router } from './app/router.tsx';
import { logUncaughtErrors } from './platform/client-log.ts';
import { limitFirstScreenWait } from './platform/first-screen.ts';
import { startLiveEvents } from './platform/live-events.ts';
import { dropPrefetched } from './platform/prefetched-responses.ts';
import { currentSession, followOtherTabs, initialise } from './platform/session.ts';

logUncaughtErrors();
limitFirstScreenWait();
startNavigation();
followOtherTabs();
void initialise();
// Loads the scripts of the first screen while the request for the user is in flight.
if (currentSession().authenticated) {
  const ignore = (): void => undefined;
  import('./app/Shell.tsx').catch(ignore);
  screenAt(window.location.pathname)?.load().catch(ignore);
}
dropPrefetched();
// Loaded before any text: text rendered without the font would be laid out twice.
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
