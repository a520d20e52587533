import { notifications } from '@mantine/notifications';
import { wordsFor } from '../platform/api-error.ts';

const closeButtonProps = { 'aria-label': 'Close' };

/** Says that something was done. Goes away by itself. */
export function toastDone(message: string): void {
  notifications.show({ message, color: 'accent', autoClose: 4000, closeButtonProps });
}

/**
 * Says that something failed, in the server's words. Without any, `fallback` says what failed and the reason is
 * below it. Stays long enough to be read.
 */
export function toastFailed(thrown: unknown, fallback?: string): void {
  const { message, reason } = wordsFor(thrown, fallback);
  notifications.show({
    ...(reason === undefined ? { message } : { title: message, message: reason }),
    color: 'danger',
    autoClose: 10_000,
    role: 'alert',
    closeButtonProps,
  });
}

/** Says that the person has to correct something. */
export function toastWarning(message: string): void {
  notifications.show({ message, color: 'danger', autoClose: 6000, closeButtonProps });
}
