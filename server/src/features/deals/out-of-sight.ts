import { AppError } from '../../platform/http/errors.ts';

/** The refusal of a row that its writer could not see: it would be lost to them. */
export const outOfSight = (): AppError =>
  new AppError('INSUFFICIENT_PERMISSIONS', {
    message:
      'You could not see this row, so it was not saved: its status or its date is kept from you. What you typed is kept here. Choose another status, or ask an administrator.',
    details: 'ROW_OUT_OF_SIGHT',
  });
