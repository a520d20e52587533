export const MAX_IMPORTED_DEALERSHIPS = 2000;

export const MAX_CONTACTS = 50;

/** Maximum characters of the texts of a dealership. */
export const dealershipTextLimits = { name: 120, address: 400, contactName: 120 } as const;
