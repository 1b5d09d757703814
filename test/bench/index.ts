import { reportFamilies } from './families.ts'

reportFamilies(process.argv.includes('--cases'))
