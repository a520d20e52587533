import { Button } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { ApiError, canPass } from '../platform/api-error.ts';
import { note, thrownText } from '../platform/client-log.ts';
import { isMissingScript } from '../platform/load-script.ts';
import { paths } from '../platform/paths.ts';
import { currentPermissionState } from '../platform/permissions.ts';
import { later } from '../platform/retry-later.ts';
import { currentSession } from '../platform/session.ts';
import { texts } from '../texts/app.ts';
import { afterFailedNavigation } from './access.ts';
import styles from './Standalone.module.css';

/** The wait before a failed screen is retried, in milliseconds. */
const RETRY_MS = 5000;

const RELOADED_AT = 'reloaded-at';

/** One reload loads the scripts of a newer release; another one at once would change nothing. */
const wasJustReloaded = (): boolean => Date.now() - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) < 30_000;

/**
 * Replaces a failed screen with the reason, the request id and links. A screen whose script is missing is a failed
 * navigation, which redirects (docs/product/screens.md, Who opens a screen).
 */
export function ErrorScreen({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  const failedNavigation = isMissingScript(error);
  const [isStuck] = useState(wasJustReloaded);

  useEffect(() => {
    if (!failedNavigation) return;
    const to = afterFailedNavigation(router.state.location.pathname, currentSession().authenticated);
    if (to !== null) void router.navigate({ to, replace: true });
    else if (!isStuck) {
      sessionStorage.setItem(RELOADED_AT, String(Date.now()));
      window.location.assign(paths.login);
    }
  }, [failedNavigation, isStuck, router]);

  useEffect(() => {
    const requestId = error instanceof ApiError ? error.requestId : undefined;
    note('error', thrownText(error), requestId);
  }, [error]);

  const again = (): void => {
    reset();
    void router.invalidate();
  };

  // If the user or permissions are missing, other code loads them again and then opens the screen.
  const canRetry =
    canPass(error) && currentSession().failure === null && currentPermissionState().failure === null;
  const retry = useEffectEvent(again);
  useEffect(() => (canRetry ? later(() => retry(), RETRY_MS) : undefined), [canRetry]);

  if (failedNavigation && !isStuck) return null;
  return (
    <div className={`ui-center ${styles.center}`} role="alert">
      <div className="ui-stack ui-gap-0 ui-centered">
        <h1>{error instanceof ApiError ? error.message : texts.brokenTitle}</h1>
        <p className={`ui-muted ${styles.text}`}>{canPass(error) ? texts.opensByItself : texts.broken}</p>
        <div className="ui-line">
          <Button onClick={again}>{texts.tryAgain}</Button>
          <Button variant="default" onClick={() => window.location.reload()}>
            {texts.reload}
          </Button>
          <Button variant="default" component="a" href={paths.dashboard}>
            {texts.toDashboard}
          </Button>
        </div>
        {error instanceof ApiError && error.requestId !== undefined && (
          <p className={`ui-quiet ${styles.small}`}>{texts.requestId(error.requestId)}</p>
        )}
      </div>
    </div>
  );
}
