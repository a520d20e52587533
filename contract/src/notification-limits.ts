/** Administrators are notified while less than this percentage of the server's disk is free. */
export const LOW_DISK_PERCENT = 10;
