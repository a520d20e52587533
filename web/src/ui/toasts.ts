import { notifications } from '@mantine/notifications';
import { messageOf } from '../platform/api-error.ts';

const closeButtonProps = { 'aria-label': 'Close' };

/** Says that something was done. Goes away by itself. */
export function toastDone(message: string): void {
  notifications.show({ message, color: 'accent', autoClose: 4000, closeButtonProps });
}

/** Says that something failed. Stays long enough to be read; `message` defaults to what the error says. */
export function toastFailed(thrown: unknown, message: string = messageOf(thrown)): void {
  notifications.show({ message, color: 'danger', autoClose: 10_000, role: 'alert', closeButtonProps });
}

/** Says that the person has to correct something. */
export function toastWarning(message: string): void {
  notifications.show({ message, color: 'danger', autoClose: 6000, closeButtonProps });
}
