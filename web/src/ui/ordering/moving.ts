import { createContext } from 'react';

/** The id of what is being dragged. */
export const Moving = createContext<string | null>(null);
