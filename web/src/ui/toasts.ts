import { notifications } from '@mantine/notifications';
import { changeFailureText } from '../platform/api-error.ts';

const closeButtonProps = { 'aria-label': 'Close' };

/** Shows a success toast, hidden after 4 seconds. */
export function toastDone(message: string): void {
  notifications.show({ message, color: 'accent', autoClose: 4000, closeButtonProps });
}

/** Shows a failure toast with the server's message, or with `fallback` and the reason below it. Hidden after 10 seconds. */
export function toastFailed(thrown: unknown, fallback?: string): void {
  const { message, reason } = changeFailureText(thrown, fallback);
  notifications.show({
    ...(reason === undefined ? { message } : { title: message, message: reason }),
    color: 'danger',
    autoClose: 10_000,
    role: 'alert',
    closeButtonProps,
  });
}

/**
 * Shows a warning about something that the user has to correct.
 * @param id a warning with the same id is shown once at a time
 */
export function toastWarning(message: string, id?: string): void {
  notifications.show({
    ...(id !== undefined && { id }),
    message,
    color: 'danger',
    autoClose: 6000,
    closeButtonProps,
  });
}

/** Shows the success or failure of a change, also when what began it is gone by then, such as the entry of a menu. */
export const toastOutcome = <T>(
  change: Promise<T>,
  success: string | ((result: T) => string),
  failure?: string,
): void =>
  void change.then(
    (result) => toastDone(typeof success === 'string' ? success : success(result)),
    (thrown: unknown) => toastFailed(thrown, failure),
  );
