import { reportFamilies } from './families.ts'
import { reportRecall } from './recall.ts'
import { reportMemory, reportSpeed } from './speed.ts'

const only = process.argv[2]
if (only === undefined || only === 'families' || only === 'cases') reportFamilies(only === 'cases')
if (only === undefined || only === 'speed') reportSpeed()
if (only === undefined || only === 'memory') reportMemory()
if (only === undefined || only === 'recall') await reportRecall()
