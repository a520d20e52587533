import { notifications } from '@mantine/notifications';
import { changeFailureText } from '../platform/api-error.ts';

const closeButtonProps = { 'aria-label': 'Close' };

/** Shows a success toast, hidden after 4 seconds. */
export function toastDone(message: string): void {
  notifications.show({ message, color: 'accent', autoClose: 4000, closeButtonProps });
}

/** Shows a failure toast for 10 seconds, with the server's message, or with `fallback` and the reason below it. */
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
 * @param id avoids a second toast with the same id
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

/** Shows the success or failure of a change, even if the component that started it is unmounted by then. */
export const toastOutcome = <T>(
  change: Promise<T>,
  success: string | ((result: T) => string),
  failure?: string,
): void =>
  void change.then(
    (result) => toastDone(typeof success === 'string' ? success : success(result)),
    (thrown: unknown) => toastFailed(thrown, failure),
  );
