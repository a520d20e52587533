import { createContext } from 'react';

/** The id of the dragged row. */
export const Moving = createContext<string | null>(null);
