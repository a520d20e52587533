import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/styles-base.ts';
import './app/tokens.css';
import './app/base.css';
import { screenAt, startNavigation } from './app/navigation.ts';
import { Providers } from './app/Providers.tsx';
import { router } from './app/router.tsx';
import { noteUncaught } from './platform/client-log.ts';
import { awaitFirstScreen } from './platform/coming-later.ts';
import { dropEarly } from './platform/early-answers.ts';
import { startLiveEvents } from './platform/live-events.ts';
import { currentSession, followOtherTabs, initialise } from './platform/session.ts';

noteUncaught();
awaitFirstScreen();
startNavigation();
followOtherTabs();
void initialise();
// The scripts of the first screen come while the server is asked who this is.
if (currentSession().authenticated) {
  const missedLater = (): void => undefined;
  import('./app/Shell.tsx').catch(missedLater);
  screenAt(window.location.pathname)?.load().catch(missedLater);
}
dropEarly();
// Wanted before there are words: what is laid out without it is laid out twice.
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
