import { renamed } from '../server/src/any.ts';

renamed();
