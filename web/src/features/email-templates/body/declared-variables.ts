import type { TemplateVariable } from '@forecourt/contract/email-templates';
import { createContext } from 'react';

/** The variables of the template that is being written, for the chips in its text. */
export const DeclaredVariables = createContext<readonly TemplateVariable[]>([]);
