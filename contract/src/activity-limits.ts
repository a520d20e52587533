/** A user whose session was used within this many minutes is online. */
export const ONLINE_MINUTES = 5;
