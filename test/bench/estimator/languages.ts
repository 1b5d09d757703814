import { checksum } from '../../../src/engine/marker.ts'
import type { Sample } from './samples.ts'

/** Ordinary sentences and symbols, since recorded outputs hold little beyond ASCII. */
const TEXTS = {
  german:
    'Die Prüfung ist fehlgeschlagen: Die Datei „größe.txt“ wurde nicht gefunden. Bitte überprüfen Sie den Pfad und versuchen Sie es später erneut. Während der Übertragung ging die Verbindung verloren, deshalb müssen fünf Aufträge wiederholt werden.',
  french:
    'Le test a échoué : le fichier n’a pas été trouvé à l’emplacement prévu. Veuillez vérifier les paramètres de sécurité, puis réessayer. Après la mise à jour, trois tâches ont été annulées et la mémoire libérée.',
  spanish:
    'La compilación terminó con errores: no se encontró el módulo de configuración. ¿Desea intentarlo otra vez? Después de la actualización, el número de peticiones por segundo bajó más de lo que esperábamos.',
  portuguese:
    'A conexão com o servidor não pôde ser estabelecida. Verifique as permissões do usuário e a versão instalada. Após três tentativas, a operação será cancelada e as alterações serão desfeitas.',
  polish:
    'Nie można otworzyć połączenia z bazą danych. Sprawdź, czy usługa została uruchomiona, a hasło jest prawidłowe. Następnie spróbuj ponownie wykonać żądanie i zapisz wyniki pomiarów.',
  czech:
    'Připojení k serveru se nezdařilo, zkuste to prosím znovu později. Ověřte, že soubor existuje a že máte dostatečná oprávnění ke čtení. Výsledky měření budou uloženy.',
  turkish:
    'Sunucuya bağlanılamadı, lütfen ağ ayarlarınızı gözden geçirin. İşlem sırasında beklenmeyen bir hata oluştu ve değişiklikler geri alındı.',
  vietnamese:
    'Không thể mở tệp cấu hình vì đường dẫn không tồn tại. Vui lòng kiểm tra quyền truy cập rồi thử lại sau vài phút nữa.',
  russian:
    'Не удалось подключиться к серверу базы данных. Проверьте настройки сети и повторите попытку позже. Во время обработки запроса произошла ошибка, все изменения были отменены, а журнал сохранён в файл.',
  ukrainian:
    'Під час виконання перевірки сталася помилка: очікуване значення не збігається з отриманим. Будь ласка, перегляньте звіт і запустіть завдання ще раз.',
  greek:
    'Η σύνδεση με τον διακομιστή απέτυχε. Ελέγξτε τις ρυθμίσεις του δικτύου και δοκιμάστε ξανά αργότερα. Το αρχείο δεν βρέθηκε στον φάκελο.',
  arabic:
    'تعذر الاتصال بالخادم، يرجى التحقق من إعدادات الشبكة ثم المحاولة مرة أخرى. حدث خطأ أثناء معالجة الطلب وتم التراجع عن جميع التغييرات.',
  hebrew: 'החיבור לשרת נכשל. בדקו את הגדרות הרשת ונסו שוב מאוחר יותר. אירעה שגיאה בעת עיבוד הבקשה וכל השינויים בוטלו.',
  hindi: 'सर्वर से कनेक्शन स्थापित नहीं हो सका। कृपया नेटवर्क सेटिंग जाँचें और कुछ देर बाद फिर प्रयास करें। अनुरोध पूरा करते समय एक त्रुटि हुई।',
  bengali: 'সার্ভারের সাথে সংযোগ স্থাপন করা যায়নি। অনুগ্রহ করে নেটওয়ার্ক পরীক্ষা করে আবার চেষ্টা করুন। ফাইলটি পাওয়া যায়নি।',
  thai: 'ไม่สามารถเชื่อมต่อกับเซิร์ฟเวอร์ได้ กรุณาตรวจสอบการตั้งค่าเครือข่ายแล้วลองใหม่อีกครั้ง เกิดข้อผิดพลาดระหว่างการประมวลผล',
  chinese:
    '无法连接到数据库服务器，请检查网络设置后重试。测试失败：预期结果与实际结果不一致，共有三个用例没有通过。系统已经回滚所有更改，并将日志保存到文件中。',
  japanese:
    'サーバーに接続できませんでした。ネットワークの設定を確認してから、もう一度お試しください。テストが三件失敗しました。期待した値と実際の値が異なります。',
  korean:
    '서버에 연결할 수 없습니다. 네트워크 설정을 확인한 다음 다시 시도하십시오. 요청을 처리하는 동안 오류가 발생하여 모든 변경 사항이 취소되었습니다.',
  drawing:
    '┌──────────┬────────┐\n│ name     │ status │\n├──────────┼────────┤\n│ web      │ ✓ ok   │\n│ worker   │ ✗ bad  │\n└──────────┴────────┘\n├── src\n│   └── index.ts\n→ done ⇒ next ▶ run ■ stop ● live ○ idle\n════════════════════\n▇▇▇▇▇▇▇▇░░░░░░░░ 50 %',
  symbols:
    '✓ passed ✔ passed ✗ failed ✘ failed ❯ test ⎯⎯⎯⎯⎯⎯ Failed ⎯⎯⎯⎯⎯⎯ ⚠ warning ℹ info × 3 ± 2 µs ° § © ® “quoted” ‘single’ – dash — long … more • item ‹a› «b» ≥ ≤ ≠ ∞ ∑ √ ⠋ ⠙ ⠹ ⠸ ⠼ ⠴ ⠦ ⠧ ⠇ ⠏',
  emoji:
    '🚀 deployed ✅ ok ❌ failed 🎉 done 🔥 hot 🐛 bug 📦 packages ⚡ fast 👍🏽 👩‍💻 💥 crash 🧪 tests 🔒 locked ✨ new 🚧 wip 📝 notes 🏁',
} as const

/** Ids as markers hold them: letters without any word in them. */
const ids = Array.from(
  { length: 60 },
  (_, n) =>
    `o_k${[0, 1, 2, 3]
      .map((part) => checksum(`${n} ${part}`))
      .join('')
      .slice(1)}`,
)

/** Repeated, so that each is as long as a piece. */
export const languages: readonly Sample[] = [
  ...Object.entries(TEXTS).map(([name, text]) => ({
    name: `language/${name}`,
    text: `${text}\n`.repeat(Math.ceil(2048 / text.length)),
  })),
  { name: 'language/ids', text: ids.join('\n') },
]
