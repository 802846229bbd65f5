/**
 * Everyday chats by language, one a line: the items that they leave (`u` the user's, `c` the contact's, with the day of the month, or
 * `-` for none), then what is said, from one to the other with ` // ` between. The user's turns begin with `u:`.
 */
export const CHATS: Record<string, string> = {
  ru: `
c 28 | кп сегодня вечером отправим
c 29 | завтра с утра наберу вас
c - | как только будет готово, сразу дам знать
c 30 | до конца недели дам ответ
c 2 | в понедельник определимся и напишу
c 29 | Завтра уточню у коллег и вернусь с ответом
c 30 | к пятнице всё будет готово
c - | Возьму на себя договор с типографией
c 29 | счет завтра скинем вам на почту
c 30 | я до пятницы внесу правки в макет
c - | давайте я подготовлю смету и вышлю
c 29 | Документы будут у вас завтра к обеду
c 30 | в пятницу привезем образцы
c 3 | предоплату внесем 3 ноября
c - | Ок, переделаю презентацию под новый тариф
c 29 | завтра закажу пропуск на вас
c - | передам ваши замечания директору
c - | обсужу с руководством и отпишусь
c 30 | постараюсь до пятницы закрыть вопрос
c 6 | на следующей неделе проведём оплату
u 30 | нам бы договор до пятницы получить
u - | А можете прислать прайс в экселе?
u - | подскажите номер счета для оплаты
u - | Пришлите пожалуйста карточку предприятия
u - | Сможете переделать счет на другое юрлицо?
u 29 | жду от вас правки завтра
u 29 | нужно чтобы вы подписали акт до завтра
u - | поставьте меня в копию плз
u - | Проверь, пожалуйста, остатки на складе
u - | и добавьте в договор пункт про гарантию
u - | не могли бы вы продлить нам тестовый период
u 30 | Просьба подтвердить участие до пятницы
u - | закиньте в чат актуальную версию договора
u - | Надо бы ещё счёт исправить, там инн не тот
u - | посмотрите плиз мои комменты в фигме
u 29 | можно завтра до 12 получить финальный файл?
u - | сделайте нам скидку 5% и договорились
u - | где акт за октябрь? вышлите ещё раз
- | спасибо, очень выручили
- | на связи
- | уже оплатили, смотрите
- | пока не готовы, вернёмся к этому в следующем году
- | не успеваем, извините
- | подумаем и решим
- | в этом месяце бюджета нет
- | мы уже отправили документы курьером
- | сейчас гляну
- | минутку
- | да, всё получили, спасибо!
- | рад был знакомству, хорошего дня
- | если что, звоните
c 2 | u: когда ждать оплату? // в понедельник закроем
c 29 | u: Ирина, скинете макет? // да, завтра
c 30 | u: можете до пятницы прислать акт? // сделаем
u 29 | когда пришлете договор? // u: завтра пришлю
- | вышлите прайс // u: отправила
- | u: пришлите реквизиты // вот: ИНН 7701234567, КПП 770101001
u 29 | созвонимся завтра в 11? // u: да, ок
c 29 | u: Сможете завтра подъехать? // подъеду к трем
c 29; u 30 | u: Ирин, привет! Как там с тканью? // Привет! Часть пришла, бордо ещё едет, обещают в четверг // u: а успеем к показу 6 числа? // Должны. Я завтра отвезу в цех что есть // u: супер. И размерную сетку мне скинь, а то я до сих пор по старой // уже скинула, посмотри почту // u: вижу, спс. Предоплату за бордо сделаю в пятницу
c 30; u 2 | u: Ирина Петровна, мы запускаемся 5 ноября, обучение когда? // Давайте 3-го в 10:00, два часа // u: подходит, нас будет восемь // Тогда доступы для восьмерых заведу до пятницы, пришлите только список с почтами // u: пришлю в понедельник, часть людей в отпуске // а, ну ок, тогда сделаю как пришлёте
c 29; u 29 | Анна, счёт 214 мы не видим // u: отправляла 20-го на buh@ // у нас новый адрес, fin@lazuna.ru // u: продублирую сейчас // получили // u: 🙏 // Проведём завтра первым платежом. Закрывающие за сентябрь тоже не забудьте // u: закрывающие завтра отдам курьеру
u 30 | u: Ирина, отзыв от мамы Кости видели? // Видела, она неправа // u: Ответить всё равно надо // Согласна, напишите вы, у вас лучше получается // u: хорошо, до пятницы отвечу
c 4 | Мы готовы взять 200 штук, если доставка бесплатная // u: От 250 бесплатная // Хм. Тогда 250, но отгрузка двумя партиями // u: Без проблем, первая 10-го // Подходит, договор подпишем 4 ноября
u - | u: Добрый вечер, ключи у соседки // Спасибо! А вода горячая где включается? // u: бойлер в ванной, красная кнопка // нашла // u: приятного отдыха // и пароль от вайфая напишите, на роутере стёрся
u 29 | Анечка, мы вчера так и не поговорили. Наберёте меня завтра после двух? // u: да, конечно
`,
  uk: `
c 28 | кп сьогодні ввечері відправимо
c 29 | завтра зранку наберу вас
c 30 | до кінця тижня дам відповідь
c 29 | Завтра уточню в колег і повернуся з відповіддю
c 30 | до п'ятниці все буде готово
c - | Візьму на себе договір з друкарнею
c 29 | рахунок завтра скинемо на пошту
c 30 | я до п'ятниці внесу правки в макет
c - | давайте я підготую кошторис і вишлю
c 29 | Документи будуть у вас завтра
c 30 | у п'ятницю привеземо зразки
c 3 | передоплату внесемо 3 листопада
c - | Добре, перероблю презентацію під новий тариф
c 29 | завтра замовлю перепустку на вас
c - | передам ваші зауваження директору
c - | обговорю з керівництвом і напишу
c 30 | постараюся до п'ятниці закрити питання
c 6 | наступного тижня проведемо оплату
c 29 | завтра оплатимо
u 30 | нам би договір до п'ятниці отримати
u - | А можете надіслати прайс в екселі?
u - | підкажіть номер рахунку для оплати
u - | Скиньте будь ласка картку підприємства
u - | Зможете переробити рахунок на іншу юрособу?
u 29 | чекаю від вас правки завтра
u 29 | треба щоб ви підписали акт до завтра
u - | поставте мене в копію
u - | Перевір, будь ласка, залишки на складі
u - | і додайте в договір пункт про гарантію
u - | чи могли б ви продовжити нам тестовий період
u 30 | Прохання підтвердити участь до п'ятниці
u - | закиньте в чат актуальну версію договору
u - | подивіться мої коментарі в фігмі
u 29 | можна завтра до 12 отримати фінальний файл?
u - | зробіть нам знижку 5%
u - | де акт за жовтень? вишліть ще раз
u - | Передзвоніть мені, коли будете вільні
- | дякую, дуже виручили
- | на зв'язку
- | вже оплатили
- | поки не готові, повернемось до цього наступного року
- | не встигаємо, вибачте
- | подумаємо
- | ми вже відправили документи кур'єром
- | зараз гляну
- | хвилинку
- | якщо що, дзвоніть
c 2 | u: коли чекати оплату? // в понеділок закриємо
c 29 | u: Ірина, скинете макет? // так, завтра
c 30 | u: можете до п'ятниці надіслати акт? // зробимо
- | вишліть прайс // u: відправила
u 29 | зідзвонимось завтра об 11? // u: так, ок
c 29 | u: Зможете завтра під'їхати? // під'їду на третю
u 29; c - | Анно, добрий день. Макет гарний, але логотип замалий // u: Збільшимо. Ще щось? // Телефон старий стоїть // u: Добре, переробимо і завтра покажемо // І по ціні: 48 тисяч забагато, може 42? // u: 45 і домовились // гаразд, 45. Оплачу щойно погодимо
u 31 | Доброго ранку! Гостей буде 34, не 30 // u: Доброго! Ок, перерахую меню і в суботу надішлю новий кошторис // Чудово. Торт без горіхів // u: Записала
u - | Не працює каса!! Черга до дверей // u: Бачу, сервер не відповідає, інженер вже дивиться // Скільки чекати?? // u: хвилин 20 // u: піднялось, перевірте // так, пішло. Дякую. Але це третій раз за місяць, хочу пояснення листом
c 29; u 29 | Анно, рахунок 214 ми не бачимо // u: відправляла 20-го // у нас нова адреса, fin@lazuna.ua // u: продублюю зараз // отримали // Проведемо завтра першим платежем. Закриваючі за вересень теж не забудьте // u: закриваючі завтра віддам кур'єру
u 30 | Відгук від мами Кості бачили? // u: бачила // Напишіть відповідь ви, у вас краще виходить // u: добре, до п'ятниці відповім
c 4 | Ми готові взяти 200 штук, якщо доставка безкоштовна // u: Від 250 безкоштовна // Хм. Тоді 250, але відвантаження двома партіями // u: Без проблем // Договір підпишемо 4 листопада
u - | u: Добрий вечір, ключі у сусідки // Дякую! А вода гаряча де вмикається? // u: бойлер у ванній // знайшла // і пароль від вайфаю напишіть, на роутері стерся
`,
  de: `
c 28 | Angebot kommt heute noch
c 29 | ich ruf dich morgen früh an
c - | sobald ich was höre, meld ich mich
c 30 | bis Ende der Woche geb ich dir Bescheid
c 29 | Klär ich morgen mit dem Chef
c 30 | Ich arbeite die Änderungen bis Freitag ein
c - | Ich bereite mal einen Vorschlag vor und schicke ihn rum
c 29 | Die Unterlagen gehen morgen per Post raus
c 30 | wir liefern Freitag die Muster
c 3 | Die Anzahlung überweisen wir am 3. November
c - | okay dann überarbeite ich die Präsentation nochmal
c 29 | ich reserviere morgen einen Tisch
c - | ich geb das so an die Technik weiter
c - | besprech ich intern und melde mich
c 6 | nächste Woche machen wir die Zahlung fertig
c 29 | Sie erhalten den Vertrag morgen
c 2 | ich hake Montag nochmal nach
c 29 | Den Entwurf haben Sie morgen auf dem Tisch
c - | Ich frag mal nach und sag dir dann Bescheid
c 30 | Freitag hast du die Zahlen
u 30 | wir bräuchten den Vertrag bis Freitag
u - | Könnten Sie mir die Preisliste als Excel schicken?
u - | schick mir mal bitte die IBAN
u - | magst du die Rechnung auf die GmbH umschreiben?
u 29 | ich warte noch auf deine Korrekturen, bitte bis morgen
u 29 | Sie müssten den Abnahmeschein bis morgen unterschreiben
u - | Setz mich bitte in CC
u - | guck bitte mal ob noch was im Lager ist
u - | und nehmen Sie noch die Garantie mit in den Vertrag auf
u - | wäre super wenn ihr den Testzeitraum verlängert
u 30 | Bitte um Bestätigung bis Freitag
u - | stell die aktuelle Version bitte in den Chat
u - | schau dir bitte meine Kommentare in Figma an
u - | gib uns 5% Rabatt und wir sind im Geschäft
u - | wo bleibt der Lieferschein? bitte nochmal schicken
u - | Rufen Sie mich bitte zurück
u - | Sag bitte auch Tim Bescheid
u 30 | denk bitte an die Steuernummer bis Freitag
- | danke, du bist ein Schatz
- | bin erreichbar
- | haben wir schon überwiesen
- | aktuell kein Bedarf, gerne nächstes Jahr wieder
- | schaffen wir leider nicht mehr
- | ich überlegs mir
- | Die Unterlagen sind gestern rausgegangen
- | ich schau grad
- | Moment
- | falls was ist, einfach anrufen
- | Schönes Wochenende!
c 29 | u: schickst du mir das Layout? // ja, morgen
c 30 | u: Können Sie mir bis Freitag den Lieferschein schicken? // mach ich
u 29 | Wann kriegen wir den Vertrag? // u: schicke ich morgen
- | schick mal die Preisliste // u: hab ich dir gemailt
u 29 | telefonieren wir morgen um 11? // u: ja passt
- | telefonieren wir morgen? // u: morgen geht leider nicht
c 29; u 30 | u: Hey Jan, wie siehts mit dem Stoff aus? // Moin! Ein Teil ist da, Bordeaux ist noch unterwegs, soll Donnerstag kommen // u: schaffen wir den 6.? // sollte klappen. Ich fahr morgen mit dem was da ist in die Werkstatt // u: super. Und die Größentabelle schickst du mir noch? // hab ich schon, guck ins Postfach // u: ah ja, danke. Anzahlung für Bordeaux mach ich Freitag
c 30 | u: Guten Tag, gibt es schon eine Entscheidung zu unserem Antrag? // Guten Tag, leider noch nicht, der Ausschuss tagt am Freitag // u: verstehe. Brauchen Sie noch etwas von uns? // Nein, alles vollständig // u: prima // Ich rufe Sie nach der Sitzung am Freitag an
u 30 | Hast du die Bewertung von Frau Kern gesehen? // u: ja, ärgerlich // Schreib du die Antwort, du kannst das besser // u: na gut, bis Freitag steht sie
c 4 | Wir nehmen 200 Stück wenn die Lieferung frei ist // u: ab 250 frei // Hm. Dann 250, aber in zwei Lieferungen // u: kein Problem, die erste am 10. // Passt, Vertrag unterschreiben wir am 4. November
u - | u: Guten Abend, der Schlüssel liegt bei der Nachbarin // Danke! Wo macht man das Warmwasser an? // u: Boiler im Bad, roter Knopf // gefunden // und schreiben Sie mir noch das WLAN-Passwort, auf dem Router ist es verblasst
u 29 | Anna, wir haben uns gestern verpasst. Rufst du mich morgen nach zwei an? // u: klar
c - | u: Wer fährt zum Lager und holt die Muster? // ich kann // u: super, dann du // ok mach ich
u 30 | Unsere Juristen haben den Vertrag mit Änderungen zurückgegeben: 3.2 und 7.1 // u: 7.1 geht nicht, das ist unser Standard // Gut, dann ändern Sie 3.2 und wir unterschreiben // u: mach ich bis Freitag fertig
`,
  es: `
c 28 | la oferta te la mando hoy por la tarde
c 29 | mañana a primera hora te llamo
c - | en cuanto sepa algo te aviso
c 30 | antes del sábado te doy respuesta
c 29 | Mañana lo consulto con mi socio y te digo
c 30 | para el viernes lo tienes listo
c - | Yo me encargo del contrato con la imprenta
c 29 | la factura se la paso mañana al correo
c 30 | el viernes os llevamos las muestras
c 3 | el anticipo lo pagamos el 3 de noviembre
c - | vale, rehago la presentación con la tarifa nueva
c 29 | mañana reservo la sala
c - | le paso tus comentarios al director
c - | lo comento con el equipo y te cuento
c 6 | la semana que viene hacemos la transferencia
c 29 | Les enviaremos el contrato mañana
c 2 | el lunes le doy seguimiento
c 29 | Mañana les hago llegar la cotización
c 30 | Quedo en mandarte los planos el viernes
u 30 | necesitaríamos el contrato antes del sábado
u - | ¿Me puedes pasar la lista de precios en Excel?
u - | dime el número de cuenta porfa
u - | Podrían cambiar la factura a otra razón social?
u 29 | me urge el comprobante, mándamelo mañana
u - | ponme en copia
u - | Revisa por favor el stock
u - | y añade al contrato una cláusula de garantía
u - | ¿nos podríais ampliar el periodo de prueba?
u 30 | Agradecería confirmación antes del sábado
u - | sube al grupo la última versión
u - | échale un ojo a mis comentarios en Figma
u - | hazme un 5% de descuento y cerramos
u - | y el albarán? reenvíamelo porfa
u - | Me avisas cuando llegue el pedido?
u - | Llámame cuando puedas
- | gracias, un abrazo
- | ya te pagué ayer
- | por ahora no nos interesa, lo retomamos el año que viene
- | no llegamos, lo siento
- | me lo pienso
- | los documentos salieron ayer por mensajero
- | ahora lo miro
- | un momento
- | cualquier cosa me llamas
- | Buen finde!
c 29 | u: ¿me mandas el diseño? // sí, mañana
c 30 | u: ¿Me envías el albarán antes del sábado? // hecho, sin falta
u 29 | ¿cuándo nos mandas el contrato? // u: te lo mando mañana
- | mándame la lista de precios // u: ya te la envié
u 29 | hablamos mañana a las 11? // u: perfecto
- | hablamos mañana? // u: mañana imposible
c 29 | u: ¿Puedes venir mañana? // voy a las tres
c 29; u 30 | u: Hola Laura, ¿cómo va la tela? // Hola! Una parte ya llegó, el burdeos sigue en camino, dicen que el jueves // u: ¿llegamos al desfile del 6? // Debería. Mañana llevo al taller lo que hay // u: genial. Y pásame la tabla de tallas, que sigo con la vieja // ya te la pasé, mira el correo // u: cierto, gracias. El anticipo del burdeos lo hago el viernes
c 30 | u: Buenos días, ¿hay decisión sobre nuestra solicitud? // Buenos días. Aún no, la comisión se reúne el viernes // u: entendido. ¿Hace falta algo más de nuestra parte? // Nada, está todo completo // u: perfecto // El viernes mismo le llamo con el resultado
u 29; c - | Hola Anna, el diseño nos gusta pero el logo es muy pequeño // u: Lo agrandamos. ¿Algo más? // El teléfono es el viejo // u: Vale, lo corregimos y mañana se lo enseñamos // Y del precio: 4800 es mucho, ¿4200? // u: 4500 y trato hecho // venga, 4500. Pago en cuanto lo aprobemos
u 31 | Buenos días! Seremos 34, no 30 // u: Buenos días! Ok, recalculo el menú y el sábado le mando el nuevo presupuesto // Estupendo. La tarta sin nueces // u: anotado // ¿Tenéis proyector? // u: sí, pero la pantalla es pequeña // entonces llevamos la nuestra
c 30; u 2 | u: Arrancamos el 5 de noviembre, ¿la formación cuándo sería? // El 3 a las 10, dos horas // u: nos va bien, somos ocho // Pues doy de alta los accesos antes del sábado, solo necesito la lista con los correos // u: se la envío el lunes, hay gente de vacaciones
c 29; u 29 | Anna, no nos ha llegado la factura 214 // u: la mandé el 20 // tenemos correo nuevo, pagos@gil.es // u: la reenvío ahora // recibida // Sale mañana con el primer pago. Y no te olvides del abono de septiembre // u: te lo mando mañana
u 30 | ¿Has visto la reseña de la señora Ruiz? // u: sí, qué rabia // Contéstale tú, que se te da mejor // u: vale, antes del sábado lo hago
c 4 | Nos quedamos 200 si el envío es gratis // u: gratis a partir de 250 // Mmm. Pues 250, pero en dos entregas // u: sin problema, la primera el 10 // Perfecto, el contrato lo firmamos el 4 de noviembre
u - | u: Buenas tardes, las llaves las tiene la vecina // Gracias! ¿El agua caliente dónde se enciende? // u: el termo está en el baño // encontrado // y mándeme la clave del wifi, que en el router no se lee
u 29 | Anna, ayer no pudimos hablar. ¿Me llamas mañana después de las dos? // u: claro que sí
u 30 | Los abogados devolvieron el contrato con cambios: 3.2 y 7.1 // u: la 7.1 no la podemos aceptar // Bueno, pues cambien la 3.2 y firmamos // u: lo tengo para el viernes
`,
};
